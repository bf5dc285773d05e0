import { expect, test } from 'vitest';
import type { WorkerEvent } from '../../protocol/frames.ts';
import { NO_TOKENS } from '../../protocol/token-sums.ts';
import { fitEvent } from './fit-event.ts';

const progress = {
  turns: 1,
  tool_calls: 0,
  tokens: NO_TOKENS,
  cost_usd: null,
  cost_status: 'unknown',
  active_seconds: 1,
} as const;

function ended(answer: string, session: unknown): WorkerEvent {
  const lists = { files_read: [], files_written: [], background: [], missed_steer: [] };
  const nothing = { schema: null, error: null, limit: null, exit: null, cut_by: null, ended_on_tool_error: false };
  return { type: 'ended', last_seq: 1, session, report: { progress, answer, ...nothing, ...lists } };
}

test('an event that fits is not touched', () => {
  const event = ended('fine', { turns: ['a'] });
  expect(JSON.parse(fitEvent(event, 2000))).toEqual(event);
});

test('one that does not loses its session first, and only then the middle of its texts', () => {
  const long = ended('fine', { turns: ['x'.repeat(5000)] });
  expect(JSON.parse(fitEvent(long, 2000))).toEqual(ended('fine', null));
  const huge = JSON.parse(fitEvent(ended(`begin ${'x'.repeat(200_000)} end`, null), 110_000)) as {
    report: { answer: string };
  };
  expect(huge.report.answer).toMatch(/^begin x+\n\[… 100010 characters cut …\]\nx+ end$/);
});

test('bytes count, not characters', () => {
  const text = '\u{1F600}'.repeat(6000);
  expect(Buffer.byteLength(fitEvent({ type: 'activity', text }, 22_000))).toBeLessThanOrEqual(22_000);
});

test('what cannot be made small is an error of ours', () => {
  const files = Array.from({ length: 10_000 }, (_, n) => `file ${n}`);
  const event = ended('', null);
  if (event.type !== 'ended') throw new Error('it is');
  expect(() => fitEvent({ ...event, report: { ...event.report, files_read: files } }, 2000)).toThrow('too large');
});
