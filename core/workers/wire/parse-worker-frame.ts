import { err, ok } from '../../kit/result.ts';
import type { Result } from '../../kit/result.ts';
import { WorkerFrame } from '../../protocol/frames.ts';

/** What is wrong with a frame. `problem` names places in the frame, never its content (D7). */
export interface FrameProblem {
  readonly code: 'not_json' | 'not_a_frame';
  readonly problem: string;
}

/** Parses a frame of a worker at the boundary of the core. */
export function parseWorkerFrame(text: string): Result<WorkerFrame, FrameProblem> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return err({ code: 'not_json', problem: 'the text is not JSON' });
  }
  const delta = asDelta(value);
  if (delta !== null) return ok(delta);
  const parsed = WorkerFrame.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const places = parsed.error.issues.slice(0, 3).map((issue) => `${issue.path.join('.') || 'frame'}: ${issue.code}`);
  return err({ code: 'not_a_frame', problem: places.join(', ') });
}

/** By far the most frames are deltas; checked by hand they cost a tenth of what the schema takes. */
function asDelta(value: unknown): WorkerFrame | null {
  if (typeof value !== 'object' || value === null) return null;
  const { type, seq, event } = value as { type?: unknown; seq?: unknown; event?: unknown };
  if (type !== 'event' || !isCount(seq) || seq === 0 || typeof event !== 'object' || event === null) return null;
  const { type: kind, entry, offset, text } = event as Record<string, unknown>;
  if (kind !== 'delta' || !isCount(entry) || !isCount(offset) || typeof text !== 'string') return null;
  return { type: 'event', seq, event: { type: 'delta', entry, offset, text } };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
