import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { MAX_FRAME_BYTES } from '../../protocol/frame-limit.ts';
import type { WorkerFrame } from '../../protocol/frames.ts';
import { parseWorkerFrame } from '../wire/parse-worker-frame.ts';

type EventFrame = Extract<WorkerFrame, { type: 'event' }>;

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/**
 * Reads what a worker left in its spool, in order. Ends quietly at a line that was cut by the worker's death, or at anything that is not an
 * event. Yields nothing for a missing file, and follows no link (D7).
 */
export async function* spoolEvents(path: string): AsyncGenerator<{ frame: EventFrame; bytes: number }> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => null);
  if (file === null) return;
  try {
    for await (const line of lines(file)) {
      const parsed = parseWorkerFrame(line.toString('utf8'));
      if (!parsed.ok || parsed.value.type !== 'event') return;
      yield { frame: parsed.value, bytes: line.length };
    }
  } finally {
    await file.close();
  }
}

/** Whole lines only; one that is longer than a frame may be ends the reading. */
async function* lines(file: FileHandle): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return;
    rest = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    let from = 0;
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE, from)) {
      yield rest.subarray(from, at);
      from = at + 1;
    }
    rest = rest.subarray(from);
    if (rest.length > MAX_FRAME_BYTES) return;
  }
}
