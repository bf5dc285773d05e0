import { err, ok, type Result } from '../../kit/result.ts';
import type { DefinitionText } from '../../protocol/api/projects.ts';
import type { ApiError } from '../../protocol/errors.ts';
import type { ProjectRow } from '../../protocol/rows.ts';
import { readTrusted, writeTrusted } from '../../registry/store/projects.ts';
import type { WriteDb } from '../../registry/writers/db.ts';
import type { AppStorage } from './app-storage.ts';
import { readDefinitions, type ProjectDefinitions } from '../../workspace/trust/project-definitions.ts';

/** What a row says of trust. */
export type TrustFacts = Pick<ProjectRow, 'trusted' | 'definitions'>;

const CHANGED: ApiError = {
  code: 'conflict',
  message: 'What this project defines changed meanwhile. Look at it again, then decide.',
};

/** Which content of which project a person has trusted (A4). Trust is of bytes, not of a folder: other content asks again. */
export class ProjectTrust {
  readonly #app: AppStorage;
  readonly #digests: Map<string, string>;

  constructor(app: AppStorage) {
    this.#app = app;
    this.#digests = readTrusted(app.db);
  }

  /** What the project defines now, and whether that is trusted. */
  async look(projectId: string, path: string): Promise<TrustFacts> {
    return (await this.read(projectId, path)).facts;
  }

  /** The same, with the bytes that it is about. */
  async read(projectId: string, path: string): Promise<{ facts: TrustFacts; found: ProjectDefinitions }> {
    const found = await readDefinitions(path);
    return { facts: this.#facts(projectId, found), found };
  }

  /** The text of one file of what the project defines, if that is still what the person looks at. Bytes that are no UTF-8 show as U+FFFD. */
  async text(
    { path: project }: Pick<ProjectRow, 'path'>,
    digest: string,
    path: string,
  ): Promise<Result<DefinitionText, ApiError>> {
    const found = await readDefinitions(project);
    if (found.digest !== digest) return err(CHANGED);
    const bytes = found.files.get(path);
    if (bytes === undefined) return err({ code: 'not_found', message: `This project defines nothing in ${path}.` });
    return ok({ text: bytes.toString('utf8'), bytes: bytes.length });
  }

  /** Trusts what the project defines now, if it is what the person has seen, or takes the trust back. */
  async set(
    { project_id, path }: Pick<ProjectRow, 'project_id' | 'path'>,
    trusted: boolean,
    seen: string | undefined,
  ): Promise<Result<TrustFacts, ApiError>> {
    const found = await readDefinitions(path);
    const refusal = trusted ? refusalOf(found, seen) : null;
    if (refusal !== null) return err(refusal);
    const digest = trusted ? found.digest : null;
    const written = await this.#app.write((db) => writeTrusted(db, project_id, digest));
    if (!written.ok) return err({ code: 'storage', message: written.error.message });
    if (digest === null) this.#digests.delete(project_id);
    else this.#digests.set(project_id, digest);
    return ok(this.#facts(project_id, found));
  }

  /**
   * Lets a person's own edit of one file be carried out. What was trusted stays so exactly when that file is now what was written (`bytes`; null: gone)
   * and all others are as they were.
   */
  async edit(
    { project_id, path }: Pick<ProjectRow, 'project_id' | 'path'>,
    file: { readonly path: string; readonly bytes: Buffer | null },
    write: () => Promise<Result<null, ApiError>>,
  ): Promise<Result<null, ApiError>> {
    const before = await this.read(project_id, path);
    const done = await write();
    if (!done.ok) return done;
    const { found } = await this.read(project_id, path);
    // Where nothing was defined, all that is defined now is what the person wrote.
    const wasTrusted = before.facts.trusted || before.facts.definitions === null;
    if (!wasTrusted || found.faults.length > 0 || !differsBy(before.found.files, found.files, file)) return done;
    const written = await this.#app.write((db) => writeTrusted(db, project_id, found.digest));
    if (!written.ok) return err({ code: 'storage', message: written.error.message });
    this.#digests.set(project_id, found.digest);
    return done;
  }

  /** Writes all trust into a database that does not have it. */
  rewrite(db: WriteDb): void {
    for (const [projectId, digest] of this.#digests) writeTrusted(db, projectId, digest);
  }

  /** The project was taken off: attached again, it is asked for again. */
  forget(projectId: string): void {
    this.#digests.delete(projectId);
  }

  #facts(projectId: string, { digest, files, faults }: ProjectDefinitions): TrustFacts {
    const known = this.#digests.get(projectId);
    const trusted = known === digest && faults.length === 0;
    if (files.size === 0 && faults.length === 0) return { trusted, definitions: null };
    const changed = known !== undefined && !trusted;
    return { trusted, definitions: { digest, files: [...files.keys()], changed, faults: [...faults] } };
  }
}

function differsBy(
  before: ProjectDefinitions['files'],
  after: ProjectDefinitions['files'],
  { path, bytes }: { readonly path: string; readonly bytes: Buffer | null },
): boolean {
  const expected = new Map(before);
  if (bytes === null) expected.delete(path);
  else expected.set(path, bytes);
  return expected.size === after.size && [...expected].every(([name, content]) => after.get(name)?.equals(content));
}

function refusalOf({ digest, faults }: ProjectDefinitions, seen: string | undefined): ApiError | null {
  if (faults.length > 0) {
    const message = `What this project defines cannot be read whole, so it cannot be trusted: ${faults.join(' ')} Mend that, then try again.`;
    return { code: 'invalid_input', message };
  }
  return seen === undefined || seen === digest ? null : CHANGED;
}
