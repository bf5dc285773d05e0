import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../core/protocol/entry.ts';
import { outputOf, unwritten } from './output-entries.ts';

const out = (number: number, text: string): Entry => ({
  run_id: 'run_1',
  entry: number,
  at: 0,
  meta: { type: 'output', stream: 'stdout' },
  text,
  ended: false,
});

describe('output for the terminal', () => {
  it('writes only what is new', () => {
    const first = unwritten([out(1, 'a')], new Map());
    expect(first).toMatchObject({ text: 'a', rewritten: false });
    const second = unwritten([out(1, 'ab'), out(2, 'c')], first.written);
    expect(second).toMatchObject({ text: 'bc', rewritten: false });
    expect(unwritten([out(1, 'ab'), out(2, 'c')], second.written).text).toBe('');
  });

  it('begins again when a text was replaced by a shorter one, or earlier output came', () => {
    const { written } = unwritten([out(2, 'long')], new Map());
    expect(unwritten([out(2, 'lo')], written).rewritten).toBe(true);
    expect(unwritten([out(1, 'before'), out(2, 'long')], written).rewritten).toBe(true);
  });

  it('joins stdout and stderr in their order', () => {
    const transcript = { count: 3, pages: [[out(0, 'a'), out(1, 'b'), undefined]] };
    expect(outputOf(transcript, 0, 2)).toBe('ab');
  });
});
