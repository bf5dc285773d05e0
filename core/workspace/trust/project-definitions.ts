import { readdir } from 'node:fs/promises';
import { openInside } from '../containment/open-inside.ts';
import { resolveInside } from '../containment/resolve-inside.ts';

/**
 * What a project brings to define agents, skills, servers, hooks or settings that start programs (A4). Nothing of it holds before a person has trusted
 * exactly this content.
 */
export interface ProjectDefinitions {
  /** SHA-256 over the names and bytes of all files; also of none. */
  readonly digest: string;
  /** Bytes by path from the project's root: what was hashed is what is used, whatever is written there later. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Why something there could not be taken in, in words. While there is one, the content is not known and cannot be trusted. */
  readonly faults: readonly string[];
}

const SINGLE_FILES = ['espalier.json', '.mcp.json'];

/** Folders and what of them defines something, at any depth. */
const FOLDERS: readonly (readonly [folder: string, names: RegExp])[] = [
  ['.espalier', /./],
  ['.agents', /\.md$/i],
  ['.claude/agents', /\.md$/i],
  ['.claude/skills', /\.md$/i],
];

const MAX_FILES = 500;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_ALL_BYTES = 8 * 1024 * 1024;
const MAX_DEPTH = 8;

/** Reads what a project defines. Runs nothing, follows no link out of the project, and takes a bounded amount. */
export async function readDefinitions(project: string): Promise<ProjectDefinitions> {
  const reading = new Reading(project);
  for (const path of SINGLE_FILES) await reading.takeFile(path, true);
  for (const [folder, names] of FOLDERS) await reading.takeFolder(folder, names, 0);
  return reading.result();
}

class Reading {
  readonly #project: string;
  readonly #files = new Map<string, Buffer>();
  readonly #faults: string[] = [];
  #bytes = 0;

  constructor(project: string) {
    this.#project = project;
  }

  async takeFolder(folder: string, names: RegExp, depth: number): Promise<void> {
    const place = await resolveInside(this.#project, folder);
    if (!place.ok) return this.#fault(place.error.message);
    if (!place.value.exists) return;
    if (depth > MAX_DEPTH) return this.#fault(`"${folder}" is nested deeper than ${String(MAX_DEPTH)} folders.`);
    const entries = await readdir(place.value.path, { withFileTypes: true }).catch((error: unknown) => String(error));
    if (typeof entries === 'string') return this.#fault(`"${folder}" cannot be listed: ${entries}`);
    for (const entry of entries) {
      if (this.#files.size > MAX_FILES) return;
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) await this.takeFolder(path, names, depth + 1);
      // A link may lead to a folder: then opening it as a file says so.
      else if (names.test(entry.name) || entry.isSymbolicLink()) await this.takeFile(path, false);
    }
  }

  async takeFile(path: string, optional: boolean): Promise<void> {
    const opened = await openInside(this.#project, path);
    if (!opened.ok) {
      if (!optional || opened.error.code !== 'not_found') this.#fault(opened.error.message);
      return;
    }
    const { handle } = opened.value;
    try {
      // One byte more than allowed: the file may grow while it is read.
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_FILE_BYTES + 1), 0, MAX_FILE_BYTES + 1, 0);
      this.#bytes += bytesRead;
      if (bytesRead > MAX_FILE_BYTES) return this.#fault(`"${path}" is larger than 1 MiB.`);
      this.#files.set(path, Buffer.from(buffer.subarray(0, bytesRead)));
    } catch (error) {
      this.#fault(`"${path}" cannot be read: ${String(error)}`);
    } finally {
      await handle.close();
    }
    if (this.#bytes > MAX_ALL_BYTES) this.#fault('The definitions are larger than 8 MiB together.');
  }

  result(): ProjectDefinitions {
    if (this.#files.size > MAX_FILES) this.#fault(`There are more than ${String(MAX_FILES)} files with definitions.`);
    const files = new Map([...this.#files].sort(([a], [b]) => (a < b ? -1 : 1)));
    // Loaded here only: workers have this file, and few of them need it.
    const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
    for (const [path, bytes] of files) hash.update(`${path}\0${String(bytes.length)}\0`).update(bytes);
    return { digest: hash.digest('hex'), files, faults: [...new Set(this.#faults)] };
  }

  #fault(words: string): void {
    if (this.#faults.length < 20) this.#faults.push(words);
  }
}
