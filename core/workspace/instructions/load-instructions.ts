import { cutMiddle } from '../../kit/cut-middle.ts';
import { plainText } from '../../kit/terminal-text.ts';
import { openInside } from '../containment/open-inside.ts';
import { resolveInside } from '../containment/resolve-inside.ts';

/** The instructions of a project for the agents that work in it. */
export interface Instructions {
  /** All files one after another, the most general first, each under a heading with its path; empty if there is none. */
  readonly text: string;
  /** The files used, from the project root, in order. */
  readonly sources: readonly string[];
  /** Files that are there but were not used, and why (a link that leads out of the project, not a regular file). */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** Whether something was cut from the middle to stay within the limit. */
  readonly truncated: boolean;
}

export interface InstructionsOptions {
  /** The folder the agent works in: the project root (default) or one below it. */
  readonly folder?: string;
  /** Characters of the whole text; 32,768 by default. */
  readonly limit?: number;
}

/** The kinds of files, best first: only the first kind that is found anywhere in the chain is used (K1). */
const KINDS = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'] as const;
const DEFAULT_LIMIT = 32 * 1024;

/**
 * Loads the chain of instruction files from `projectRoot` down to the folder worked in (K1): `AGENTS.md` of each folder, else `CLAUDE.md`, else
 * `GEMINI.md`. Nothing outside of the project is read, also not through links. Never fails: what cannot be read is listed in `skipped`.
 */
export async function loadInstructions(projectRoot: string, options: InstructionsOptions = {}): Promise<Instructions> {
  const folders = await chain(projectRoot, options.folder ?? projectRoot);
  const limit = options.limit ?? DEFAULT_LIMIT;
  const skipped: { path: string; reason: string }[] = [];
  for (const kind of KINDS) {
    const parts: { path: string; text: string }[] = [];
    for (const folder of folders) {
      const path = folder === '.' ? kind : `${folder}/${kind}`;
      const read = await readPart(projectRoot, path, limit);
      if (read.type === 'text') parts.push({ path, text: read.text });
      if (read.type === 'refused') skipped.push({ path, reason: read.reason });
    }
    if (parts.length > 0) return joined(parts, skipped, limit);
  }
  return { text: '', sources: [], skipped, truncated: false };
}

/** The folders from the root (`.`) down to `folder`, relative to the root; only the root if `folder` is not inside. */
async function chain(projectRoot: string, folder: string): Promise<string[]> {
  const place = await resolveInside(projectRoot, folder);
  if (!place.ok || place.value.relative === '.') return ['.'];
  const names = place.value.relative.split('/');
  return ['.', ...names.map((_, index) => names.slice(0, index + 1).join('/'))];
}

type Read =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'absent' }
  | { readonly type: 'refused'; readonly reason: string };

async function readPart(projectRoot: string, path: string, limit: number): Promise<Read> {
  const opened = await openInside(projectRoot, path);
  if (!opened.ok) {
    return opened.error.code === 'not_found' ? { type: 'absent' } : { type: 'refused', reason: opened.error.message };
  }
  const { handle, size } = opened.value;
  try {
    // Head and tail are enough of a file that is far too large: it is cut below in any case.
    const most = limit * 4;
    const head = await handle.read(Buffer.alloc(Math.min(size, most)), 0, Math.min(size, most), 0);
    let bytes = head.buffer.subarray(0, head.bytesRead);
    if (size > most) {
      const tail = await handle.read(
        Buffer.alloc(Math.min(size - most, most)),
        0,
        Math.min(size - most, most),
        Math.max(most, size - most),
      );
      bytes = Buffer.concat([bytes, tail.buffer.subarray(0, tail.bytesRead)]);
    }
    const text = plainText(new TextDecoder().decode(bytes)).trim();
    return text === '' ? { type: 'absent' } : { type: 'text', text };
  } finally {
    await handle.close();
  }
}

function joined(
  parts: readonly { path: string; text: string }[],
  skipped: Instructions['skipped'],
  limit: number,
): Instructions {
  const whole = parts.map(({ path, text }) => `# ${path}\n\n${text}`).join('\n\n');
  const { text, cut } = cutMiddle(
    whole,
    limit,
    (missing) => `[… ${missing} characters of the project instructions cut …]`,
  );
  return { text, sources: parts.map(({ path }) => path), skipped, truncated: cut > 0 };
}
