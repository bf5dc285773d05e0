import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../core/protocol/entry.ts';
import { findEntries, gapAbove, nextMatch } from './find.ts';

const entry = (number: number, text: string, meta: Entry['meta'] = { type: 'text', partial: false }): Entry => ({
  run_id: 'run_1',
  entry: number,
  at: 0,
  meta,
  text,
  ended: true,
});
const call: Entry['meta'] = {
  type: 'tool_call',
  call_id: 'c',
  name: 'bash',
  title: 'Running npm test',
  arguments: '{"command":"npm test -- Rotate"}',
  status: 'ok',
  display: null,
  seconds: null,
};

describe('find in a transcript', () => {
  const transcript = {
    count: 4,
    pages: [[entry(0, 'Rotate the token'), undefined, entry(2, '', call), entry(3, 'done')]],
  };

  it('finds in texts, titles and arguments, whatever the case, and steps over what has not arrived', () => {
    expect(findEntries(transcript, 'rotate')).toEqual([0, 2]);
    expect(findEntries(transcript, ' NPM test ')).toEqual([2]);
    expect(findEntries(transcript, '  ')).toEqual([]);
    expect(findEntries(undefined, 'x')).toEqual([]);
  });

  it('begins with the last match and goes round', () => {
    expect(nextMatch([3, 5, 9], null, -1)).toBe(9);
    expect(nextMatch([3, 5, 9], 9, -1)).toBe(5);
    expect(nextMatch([3, 5, 9], 3, -1)).toBe(9);
    expect(nextMatch([3, 5, 9], 9, 1)).toBe(3);
    expect(nextMatch([3, 5], 4, 1)).toBe(5);
    expect(nextMatch([], null, 1)).toBeNull();
  });

  it('asks for what is missing from the end upwards', () => {
    expect(gapAbove(2500, 1000)).toEqual({ from: 1500, limit: 1000 });
    expect(gapAbove(300, 1000)).toEqual({ from: 0, limit: 300 });
    expect(gapAbove(0, 1000)).toBeNull();
  });
});
