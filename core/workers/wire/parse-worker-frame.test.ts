import { expect, test } from 'vitest';
import { WorkerFrame } from '../../protocol/frames.ts';
import { parseWorkerFrame } from './parse-worker-frame.ts';

const delta = { type: 'event', seq: 3, event: { type: 'delta', entry: 0, offset: 5, text: 'abc' } };

test('a delta is taken as the schema would take it, without what does not belong to it', () => {
  const text = JSON.stringify({ ...delta, more: 1, event: { ...delta.event, more: 1 } });
  const parsed = parseWorkerFrame(text);
  expect(parsed).toEqual({ ok: true, value: WorkerFrame.parse(JSON.parse(text)) });
  expect(parsed).toEqual({ ok: true, value: delta });
});

test.each([
  ['a sequence of 0', { ...delta, seq: 0 }],
  ['half a sequence', { ...delta, seq: 1.5 }],
  ['a sequence in words', { ...delta, seq: '3' }],
  ['no entry', { ...delta, event: { ...delta.event, entry: undefined } }],
  ['no text', { ...delta, event: { ...delta.event, text: 7 } }],
  ['a negative offset', { ...delta, event: { ...delta.event, entry: 0.5, offset: -1 } }],
])('case 41: a delta with %s is no frame, and its content is not in the problem', (_, frame) => {
  const parsed = parseWorkerFrame(JSON.stringify(frame));
  expect(parsed).toMatchObject({ ok: false, error: { code: 'not_a_frame' } });
  expect(JSON.stringify(parsed)).not.toContain('abc');
});

test('case 41: null, a text, and what is no JSON are no frames', () => {
  for (const text of ['null', '"hello"', '[]', '7']) expect(parseWorkerFrame(text)).toMatchObject({ ok: false });
  expect(parseWorkerFrame('{')).toMatchObject({ ok: false, error: { code: 'not_json' } });
});
