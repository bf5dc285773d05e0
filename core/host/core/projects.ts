import { makeId } from '../../protocol/ids.ts';
import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { delay } from '../../kit/clock.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { Random } from '../../kit/random.ts';
import type { DefinitionText } from '../../protocol/api/projects.ts';
import type { ApiError } from '../../protocol/errors.ts';
import type { ProjectRow } from '../../protocol/rows.ts';
import {
  markPossiblyLive,
  readPossiblyLive,
  readProjects,
  removeProject,
  forgetFolder,
  writeProject,
} from '../../registry/store/projects.ts';
import type { WriteDb } from '../../registry/writers/db.ts';
import type { WriterHandle } from '../../registry/writers/handle.ts';
import type { WriterRegistry } from '../../registry/writers/registry.ts';
import { isDemoFolder } from './demo.ts';
import { ProjectTrust } from './project-trust.ts';
import type { ProjectDefinitions } from '../../workspace/trust/project-definitions.ts';
import type { StorageError } from '../../registry/writers/storage-error.ts';
import { ProjectEngine, type EngineDeps } from '../engine/project-engine.ts';
import type { StorageBanner } from '../health/storage-banner.ts';
import { namedFolder } from '../place/named-path.ts';
import type { AppStorage } from './app-storage.ts';
import { storageFailure } from './storage-failure.ts';

// An ordinary opening takes some milliseconds, a migration or a slow disk longer.
const OPENING_MS = 1000;

export interface ProjectsDeps {
  readonly home: string;
  readonly random: Random;
  readonly registry: WriterRegistry;
  /** `app.db`. */
  readonly app: AppStorage;
  readonly banner: StorageBanner;
  readonly engine: EngineDeps;
  /** A database was opened that lists were made without. */
  openedLate(): void;
}

/** The attached folders and their engines; an engine is opened when its project is first needed. */
export class Projects {
  readonly #deps: ProjectsDeps;
  readonly #trust: ProjectTrust;
  readonly #rows = new Map<string, ProjectRow>();
  readonly #engines = new Map<string, Promise<Result<ProjectEngine, ApiError>>>();
  readonly #open = new Map<string, ProjectEngine>();
  readonly #live = new Set<string>();
  readonly #waiting = new Map<string, (engine: ProjectEngine) => void>();
  /** Folders that are being attached. */
  readonly #adding = new Map<string, Promise<Result<ProjectRow, ApiError>>>();

  constructor(deps: ProjectsDeps) {
    this.#deps = deps;
    this.#trust = new ProjectTrust(deps.app);
    // What it defines is read by `look`; until then nothing is trusted.
    for (const row of readProjects(deps.app.db))
      this.#rows.set(row.project_id, { ...row, ...UNSEEN, ...lookAt(row.path), ...this.#kindOf(row.path) });
    for (const id of readPossiblyLive(deps.app.db)) this.#live.add(id);
    deps.app.onReplaced((db) => this.#writeAll(db));
  }

  #writeAll(db: WriteDb): void {
    for (const row of this.#rows.values()) {
      forgetFolder(db, row);
      writeProject(db, row);
      markPossiblyLive(db, row.project_id, this.#live.has(row.project_id));
    }
    this.#trust.rewrite(db);
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

  async #lookAgain({ project_id, path }: ProjectRow): Promise<ProjectRow | null> {
    return this.#seen(project_id, { ...(await this.#trust.look(project_id, path)), ...lookAt(path) });
  }

  #seen(projectId: string, found: Partial<ProjectRow>): ProjectRow | null {
    const now = this.#rows.get(projectId);
    if (now === undefined || isDeepStrictEqual(now, { ...now, ...found })) return null;
    this.#rows.set(projectId, { ...now, ...found });
    return { ...now, ...found };
  }

  /** Looks at one folder again; answers what it defines, with the row if that is another one now. */
  async definitions(projectId: string): Promise<(ProjectDefinitions & { row: ProjectRow | null }) | null> {
    const row = this.#rows.get(projectId);
    if (row === undefined) return null;
    const { facts, found } = await this.#trust.read(projectId, row.path);
    return { ...found, row: this.#seen(projectId, { ...facts, ...lookAt(row.path) }) };
  }

  /** One file of what a project defines, while that is what the person looks at (`digest`). */
  async definition(projectId: string, digest: string, path: string): Promise<Result<DefinitionText, ApiError>> {
    const row = this.#rows.get(projectId);
    return row === undefined ? unknownProject(projectId) : this.#trust.text(row, digest, path);
  }

  /** Trusts what a project defines, as the person has `seen` it, or takes that back. */
  async trust(projectId: string, trusted: boolean, seen?: string): Promise<Result<ProjectRow, ApiError>> {
    const row = this.#rows.get(projectId);
    if (row === undefined) return unknownProject(projectId);
    const facts = await this.#trust.set(row, trusted, seen);
    return facts.ok ? this.save({ ...(this.#rows.get(projectId) ?? row), ...facts.value }) : facts;
  }

  /** Changes one file of what a project defines. */
  async editDefinition(
    projectId: string,
    path: string,
    bytes: Buffer | null,
    write: () => Promise<Result<null, ApiError>>,
  ): Promise<Result<null, ApiError>> {
    const row = this.#rows.get(projectId);
    return row === undefined ? unknownProject(projectId) : this.#trust.edit(row, { path, bytes }, write);
  }

  /** Engines that are open. */
  get engines(): ProjectEngine[] {
    return [...this.#open.values()];
  }

  /** Projects that an earlier core left possibly live. */
  get possiblyLive(): string[] {
    return [...this.#live];
  }

  /** The project that a folder is attached as, also by another name of it. */
  at(path: string): ProjectRow | undefined {
    const resolved = resolveFolder(path);
    return resolved.ok ? this.list().find((row) => row.path === resolved.value) : undefined;
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
      name: known?.name ?? (basename(path) || path),
      added_at: known?.added_at ?? now,
      used_at: now,
      ...(await this.#trust.look(project_id, path)),
      ...lookAt(path),
      ...this.#kindOf(path),
    });
  }

  #kindOf(path: string): Pick<ProjectRow, 'scripted'> {
    return isDemoFolder(this.#deps.home, path) ? { scripted: true } : {};
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
    this.#deps.banner.tell(openingOf(projectId), null);
    return ok(row);
  }

  /**
   * The engines of these projects, or of all, that can be had soon. One whose database another program has locked is waited for no longer than a moment, so that
   * it does not hold up all others; clients are told when it is there after all.
   */
  async openSoon(ids: Iterable<string> = this.#rows.keys()): Promise<ProjectEngine[]> {
    const found = await Promise.all([...ids].map((id) => this.#soon(id)));
    return found.flatMap((engine) => engine ?? []);
  }

  async #soon(projectId: string): Promise<ProjectEngine | null> {
    const opening = this.engine(projectId);
    const isLate = new AbortController();
    const moment = delay(this.#deps.engine.clock, OPENING_MS, isLate.signal).then(
      () => null,
      () => null,
    );
    const opened = await Promise.race([opening, moment]);
    isLate.abort();
    if (opened !== null) return opened.ok ? opened.value : null;
    void opening.then((engine) => (engine.ok ? this.#deps.openedLate() : undefined));
    return null;
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

  /** Calls `then` once, as soon as the project's database is open. */
  whenOpen(projectId: string, then: (engine: ProjectEngine) => void): void {
    const open = this.#open.get(projectId);
    if (open !== undefined) then(open);
    else this.#waiting.set(projectId, then);
  }

  async #openEngine(projectId: string): Promise<Result<ProjectEngine, ApiError>> {
    const writer = await this.#deps.registry.acquire(databaseOf(this.#deps.home, projectId));
    // Also a thing that the registry has no health of, such as a newer database, is a banner until it is opened.
    if (!writer.ok) return this.#notOpened(projectId, writer.error.message);
    try {
      const engine = new ProjectEngine(projectId, writer.value, this.#deps.engine);
      this.#deps.banner.tell(openingOf(projectId), null);
      this.#open.set(projectId, engine);
      this.#waiting.get(projectId)?.(engine);
      this.#waiting.delete(projectId);
      return ok(engine);
    } catch (thrown) {
      const failure = storageFailure(thrown);
      if (failure === null) throw thrown;
      await writer.value.close();
      return this.#notOpened(projectId, failure.message);
    }
  }

  #notOpened(projectId: string, message: string): Result<never, ApiError> {
    this.#engines.delete(projectId);
    this.#deps.banner.tell(openingOf(projectId), message);
    return err({ code: 'storage', message });
  }

  /** Opens the file that is now in the place of a project's database; null when there is none: an empty one is not made in its place (D6). */
  async reopen(projectId: string): Promise<Result<WriterHandle, StorageError> | null> {
    const path = databaseOf(this.#deps.home, projectId);
    return existsSync(path) ? this.#deps.registry.acquire(path) : null;
  }

  /** Before a project's first dispatch: at the next start exactly the marked ones are recovered (DESIGN, Storage). */
  async markLive(projectId: string): Promise<Result<null, ApiError>> {
    if (this.#live.has(projectId)) return ok(null);
    const written = await this.#deps.app.write((db) => markPossiblyLive(db, projectId, true));
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

/** Under which the banner tells of a project's database that cannot be opened. */
function openingOf(projectId: string): string {
  return `opening of ${projectId}`;
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
  const folder = namedFolder(path);
  return folder.ok ? folder : err({ code: 'invalid_input', message: folder.error });
}

const UNSEEN = { trusted: false, definitions: null };

/** What is seen of a folder without running anything in it (A4). */
function lookAt(path: string): Pick<ProjectRow, 'present' | 'git'> {
  const isThere = (name: string): boolean => statSync(name, { throwIfNoEntry: false }) !== undefined;
  return { present: isThere(path), git: isThere(join(path, '.git')) };
}
