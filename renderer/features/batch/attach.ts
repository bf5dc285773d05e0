import { runStrings } from '../../shared/run-strings.ts';

const words = runStrings.steer;

/** Bytes of attached texts in one message. */
const ROOM = 64 * 1024;

/** A dropped file: its text when it has one, its path where it is known. */
export interface AttachedFile {
  readonly name: string;
  /** Empty where a browser tells none. */
  readonly path: string;
  /** Null when it is no text, or could not be read. */
  readonly text: string | null;
}

export interface Attachment {
  /** What the draft is to be. */
  readonly draft: string;
  /** Names of the files that are not in it. */
  readonly left: readonly string[];
}

function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}\n${text.replace(/\n$/, '')}\n${ticks}`;
}

/**
 * A draft with files attached: a text with its content, as far as all fit into 64 kB; another by its path. One without either is left out,
 * and so is what does not fit.
 */
export function attachFiles(draft: string, files: readonly AttachedFile[]): Attachment {
  let room = ROOM;
  const parts: string[] = [];
  const paths: string[] = [];
  const left: string[] = [];
  for (const { name, path, text } of files) {
    const size = text === null ? 0 : new TextEncoder().encode(text).length;
    if (text !== null && size <= room) {
      room -= size;
      parts.push(`${words.attached(path === '' ? name : path)}\n${fenced(text)}`);
    } else if (path !== '') paths.push(`- ${path}`);
    else left.push(name);
  }
  const listed = paths.length === 0 ? [] : [`${words.attachedList}\n${paths.join('\n')}`];
  const added = [...parts, ...listed].join('\n\n');
  if (added === '') return { draft, left };
  return { draft: draft.trim() === '' ? `${added}\n\n` : `${draft.trimEnd()}\n\n${added}\n\n`, left };
}
