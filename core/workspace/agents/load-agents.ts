import { createHash } from 'node:crypto';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { err, type Result } from '../../kit/result.ts';
import { openInside } from '../containment/open-inside.ts';
import { PROJECT_AGENT_FOLDERS } from './agent-folders.ts';
import { parseAgent, type ParsedAgent } from './parse-agent.ts';

/** A file that lies where agents are defined. */
export interface LoadedAgent {
  /** Absolute. */
  readonly path: string;
  readonly source: 'user' | 'project';
  /** SHA-256 of its bytes, in hex; empty when they could not be read. */
  readonly digest: string;
  readonly parsed: Result<ParsedAgent, string>;
}

/** Files of one folder that are looked at; more are no collection of agents. */
const MOST_FILES = 200;
/** Bytes; instructions are read by a model. */
const MAX_BYTES = 256 * 1024;

/** SHA-256 in hex of what a definition file holds. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * The agents that a project defines, in the order in which they count (A4): from the bytes that were read for its trust, so that nothing else can
 * come in between. Whether they count at all is the caller's to know.
 */
export async function projectAgents(
  root: string,
  files: ReadonlyMap<string, Buffer>,
  knownTools: readonly string[],
): Promise<LoadedAgent[]> {
  const loaded: LoadedAgent[] = [];
  for (const folder of PROJECT_AGENT_FOLDERS) {
    for (const [path, bytes] of files) {
      if (!isInFolder(path, folder)) continue;
      const agent = await load(join(root, path), 'project', bytes, knownTools);
      if (agent !== null) loaded.push(agent);
    }
  }
  return loaded;
}

/** The agents in the user's own folders, in the order in which they count. What the user has linked there is theirs, wherever it is. */
export async function userAgents(folders: readonly string[], knownTools: readonly string[]): Promise<LoadedAgent[]> {
  const found = await Promise.all(folders.map((folder) => inFolder(folder, knownTools)));
  return found.flat();
}

async function inFolder(folder: string, knownTools: readonly string[]): Promise<LoadedAgent[]> {
  const names = await readdir(folder).catch(() => []);
  const loaded: LoadedAgent[] = [];
  const wanted = names.filter((name) => /\.md$/i.test(name)).sort();
  for (const name of wanted.slice(0, MOST_FILES)) {
    const path = join(folder, name);
    const read = await readUserFile(folder, name);
    const agent = read.ok
      ? await load(path, 'user', read.value, knownTools)
      : { path, source: 'user' as const, digest: '', parsed: read };
    if (agent !== null) loaded.push(agent);
  }
  return loaded;
}

async function readUserFile(folder: string, name: string): Promise<Result<Buffer, string>> {
  const real = await realpath(join(folder, name)).catch(() => join(folder, name));
  const opened = await openInside(join(real, '..'), real);
  if (!opened.ok) return err(opened.error.message);
  const { handle } = opened.value;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_BYTES + 1), 0, MAX_BYTES + 1, 0);
    return { ok: true, value: buffer.subarray(0, bytesRead) };
  } catch (cause) {
    return err(`It cannot be read: ${String(cause)}`);
  } finally {
    await handle.close();
  }
}

/** Directly in it: `.agents` also holds other things, in folders of their own. */
function isInFolder(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes('/') && /\.md$/i.test(path);
}

async function load(
  path: string,
  source: 'user' | 'project',
  bytes: Buffer,
  knownTools: readonly string[],
): Promise<LoadedAgent | null> {
  const digest = digestOf(bytes);
  if (bytes.length > MAX_BYTES) {
    return { path, source, digest, parsed: err(`It is larger than ${MAX_BYTES / 1024} KiB.`) };
  }
  const parsed = await parseAgent(bytes.toString('utf8'), { source, path, knownTools });
  // A text without front matter there is a note, and nobody's agent.
  if (parsed.ok)
    return parsed.value === null ? null : { path, source, digest, parsed: { ok: true, value: parsed.value } };
  return { path, source, digest, parsed };
}
