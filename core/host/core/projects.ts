import { makeId } from '../../protocol/ids.ts';
import { realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { err, ok, type Result } from '../../kit/result.ts';
import type { Random } from '../../kit/random.ts';
import type { ApiError } from '../../protocol/errors.ts';
import type { ProjectRow } from '../../protocol/rows.ts';
import {
  markPossiblyLive,
  readPossiblyLive,
  readProjects,
  removeProject,
  writeProject,
} from '../../registry/store/projects.ts';
import type { WriterHandle } from '../../registry/writers/handle.ts';
import type { WriterRegistry } from '../../registry/writers/registry.ts';
import { ProjectTrust } from './project-trust.ts';
import { ProjectEngine, type EngineDeps } from '../engine/project-engine.ts';

export interface ProjectsDeps {
  readonly home: string;
  readonly random: Random;
  readonly registry: WriterRegistry;
  /** `app.db`. */
  readonly app: WriterHandle;
  readonly engine: EngineDeps;
}

/** The attached folders and their engines; an engine is opened when its project is first needed. */
export class Projects {
  readonly #deps: ProjectsDeps;
  readonly #trust: ProjectTrust;
  readonly #rows = new Map<string, ProjectRow>();
  readonly #engines = new Map<string, Promise<Result<ProjectEngine, ApiError>>>();
  readonly #open = new Map<string, ProjectEngine>();
  readonly #live = new Set<string>();
  /** Folders that are being attached. */
  readonly #adding = new Map<string, Promise<Result<ProjectRow, ApiError>>>();

  constructor(deps: ProjectsDeps) {
    this.#deps = deps;
    this.#trust = new ProjectTrust(deps.app);
    // What it defines is read by `look`; until then nothing is trusted.
    for (const row of readProjects(deps.app.db))
      this.#rows.set(row.project_id, { ...row, ...UNSEEN, ...lookAt(row.path) });
    for (const id of readPossiblyLive(deps.app.db)) this.#live.add(id);
  }

  list(): ProjectRow[] {
    return [...this.#rows.values()];
  }

  get(projectId: string): ProjectRow | undefined {
    return this.#rows.get(projectId);
  }

  /** Looks at all folders again; answers the rows that are others now: gone, come back, or with other definitions (A4). */
  async look(): Promise<ProjectRow[]> {
    const looked = await Promise.all(this.list().map((row) => this.#lookAgain(row)));
    return looked.filter((row) => row !== null);
  }

  async #lookAgain(before: ProjectRow): Promise<ProjectRow | null> {
    const { project_id, path } = before;
    const found = { ...(await this.#trust.look(project_id, path)), ...lookAt(path) };
    const now = this.#rows.get(project_id);
    if (now === undefined || isDeepStrictEqual(now, { ...now, ...found })) return null;
    this.#rows.set(project_id, { ...now, ...found });
    return { ...now, ...found };
  }

  /** Trusts what a project defines, as the person has `seen` it, or takes that back. */
  async trust(projectId: string, trusted: boolean, seen?: string): Promise<Result<ProjectRow, ApiError>> {
    const row = this.#rows.get(projectId);
    if (row === undefined) return unknownProject(projectId);
    const facts = await this.#trust.set(row, trusted, seen);
    return facts.ok ? this.save({ ...(this.#rows.get(projectId) ?? row), ...facts.value }) : facts;
  }

  /** Engines that are open. */
  get engines(): ProjectEngine[] {
    return [...this.#open.values()];
  }

  /** Projects that an earlier core left possibly live. */
  get possiblyLive(): string[] {
    return [...this.#live];
  }

  /** Attaches a folder; the same folder, also by another name, is the same project. */
  async add(path: string, now: number): Promise<Result<ProjectRow, ApiError>> {
    const resolved = resolveFolder(path);
    if (!resolved.ok) return resolved;
    const folder = resolved.value;
    // One after the other: a second client must find the row that the first is about to write.
    const adding = (this.#adding.get(folder) ?? Promise.resolve()).then(() => this.#attach(folder, now));
    this.#adding.set(folder, adding);
    const added = await adding;
    if (this.#adding.get(folder) === adding) this.#adding.delete(folder);
    return added;
  }

  async #attach(path: string, now: number): Promise<Result<ProjectRow, ApiError>> {
    const known = this.list().find((row) => row.path === path);
    const project_id = known?.project_id ?? makeId('proj', (length) => this.#deps.random.hex(length));
    return this.save({
      project_id,
      path,
      name: basename(path) || path,
      added_at: known?.added_at ?? now,
      used_at: now,
      ...(await this.#trust.look(project_id, path)),
      ...lookAt(path),
    });
  }

  /** Writes a changed row. */
  async save(row: ProjectRow): Promise<Result<ProjectRow, ApiError>> {
    const written = await this.#deps.app.write((db) => writeProject(db, row));
    if (!written.ok) return err({ code: 'storage', message: written.error.message });
    this.#rows.set(row.project_id, row);
    return ok(row);
  }

  /** Takes a project off the list. Its database stays in the data folder; attaching the folder again finds nothing lost. */
  async remove(projectId: string): Promise<Result<ProjectRow, ApiError>> {
    const row = this.#rows.get(projectId);
    if (row === undefined) return unknownProject(projectId);
    const written = await this.#deps.app.write((db) => removeProject(db, projectId));
    if (!written.ok) return err({ code: 'storage', message: written.error.message });
    this.#rows.delete(projectId);
    this.#trust.forget(projectId);
    return ok(row);
  }

  /** Opens all databases; one that cannot be opened says so when it is needed. */
  async openAll(): Promise<void> {
    await Promise.all([...this.#rows.keys()].map((id) => this.engine(id)));
  }

  /** The engine of a project; opens its database at the first call. */
  engine(projectId: string): Promise<Result<ProjectEngine, ApiError>> {
    if (!this.#rows.has(projectId)) return Promise.resolve(unknownProject(projectId));
    const known = this.#engines.get(projectId);
    if (known !== undefined) return known;
    const opening = this.#openEngine(projectId);
    this.#engines.set(projectId, opening);
    return opening;
  }

  async #openEngine(projectId: string): Promise<Result<ProjectEngine, ApiError>> {
    const path = databaseOf(this.#deps.home, projectId);
    const writer = await this.#deps.registry.acquire(path);
    if (!writer.ok) {
      this.#engines.delete(projectId);
      return err({ code: 'storage', message: writer.error.message });
    }
    const engine = new ProjectEngine(projectId, writer.value, this.#deps.engine);
    this.#open.set(projectId, engine);
    return ok(engine);
  }

  /** Before a project's first dispatch: at the next start exactly the marked ones are recovered (DESIGN, Storage). */
  async markLive(projectId: string): Promise<Result<null, ApiError>> {
    if (this.#live.has(projectId)) return ok(null);
    const written = await this.#deps.app.write((db) => markPossiblyLive(db, projectId, true), { durability: 'full' });
    if (!written.ok) return err({ code: 'storage', message: written.error.message });
    this.#live.add(projectId);
    return ok(null);
  }

  /** After a recovery that found nothing live any more. */
  async clearLive(projectId: string): Promise<void> {
    const written = await this.#deps.app.write((db) => markPossiblyLive(db, projectId, false));
    if (written.ok) this.#live.delete(projectId);
  }

  /** Commits everything and closes the databases. */
  async close(): Promise<void> {
    await Promise.all(this.engines.map((engine) => engine.close()));
  }
}

/** Where a project's conversations are stored. */
export function databaseOf(home: string, projectId: string): string {
  return join(home, 'projects', projectId, 'project.db');
}

/** The refusal of a project that is not attached. */
export function unknownProject(id: string): { ok: false; error: ApiError } {
  return err({ code: 'no_project', message: `No project ${id} is attached. Attach its folder first.` });
}

function resolveFolder(path: string): Result<string, ApiError> {
  if (path.trim() === '' || path.includes('\0'))
    return err({ code: 'invalid_input', message: 'Name a folder to attach.' });
  try {
    const resolved = realpathSync(path);
    if (statSync(resolved).isDirectory()) return ok(resolved);
    return err({ code: 'invalid_input', message: `${path} is not a folder. Attach the folder it is in.` });
  } catch (error) {
    const why =
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? 'does not exist'
        : `cannot be opened (${String((error as NodeJS.ErrnoException).code)})`;
    return err({ code: 'invalid_input', message: `The folder ${path} ${why}.` });
  }
}

const UNSEEN = { trusted: false, definitions: null };

/** What is seen of a folder without running anything in it (A4). */
function lookAt(path: string): Pick<ProjectRow, 'present' | 'git'> {
  const isThere = (name: string): boolean => statSync(name, { throwIfNoEntry: false }) !== undefined;
  return { present: isThere(path), git: isThere(join(path, '.git')) };
}
