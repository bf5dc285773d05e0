import { existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkerEvent } from '../../protocol/frames.ts';

/** What a worker told, as it wrote it down itself. */
export interface FrameJournal {
  /** By number, from 1 on. */
  readonly events: readonly WorkerEvent[];
  /** Last one that had surely left the worker's memory: it was with the kernel, or in the spool. */
  readonly left: number;
}

const NAME = 'journal.ndjson';

/**
 * Writes down every event that a worker tells, before it goes anywhere, so that nothing but the worker itself is believed. Synchronous: it is
 * there when the process is killed in the next moment.
 */
export function openJournal(folder: string): (seq: number, event: WorkerEvent) => void {
  const file = openSync(join(folder, NAME), 'a', 0o600);
  let told = 0;
  let marking = false;
  const mark = (): void => {
    marking = false;
    writeSync(file, `{"left":${told}}\n`);
  };
  return (seq, event) => {
    writeSync(file, `${JSON.stringify({ seq, event })}\n`);
    told = seq;
    // Frames of one turn of the loop go out at its end.
    if (!marking) setImmediate(mark);
    marking = true;
  };
}

/** Reads the journal of an attempt; null for one whose worker told nothing. A line that was cut by the worker's death is none. */
export function readJournal(folder: string): FrameJournal | null {
  const path = join(folder, NAME);
  if (!existsSync(path)) return null;
  const events: WorkerEvent[] = [];
  let left = 0;
  for (const text of readFileSync(path, 'utf8').split('\n').slice(0, -1)) {
    const line = JSON.parse(text) as { seq?: number; event?: WorkerEvent; left?: number };
    if (line.left !== undefined) left = line.left;
    else if (line.event !== undefined && line.seq === events.length + 1) events.push(line.event);
    else throw new Error(`${path} is not in sequence at ${text.slice(0, 40)}`);
  }
  return { events, left };
}
