import { expect, test } from 'vitest';
import type { Entry } from '../../../core/protocol/entry.ts';
import type { Transcript } from '../../app/live-state.ts';
import { latestAnswer } from './lead-said.ts';

const text = { type: 'text', partial: false } as const;
const said = (...entries: readonly (readonly [meta: Entry['meta'], text: string])[]): Transcript => ({
  count: entries.length,
  pages: [entries.map(([meta, words], entry) => ({ run_id: 'r', entry, at: 0, meta, text: words, ended: true }))],
});

test('the root of the tree shows what the lead has said last, as plain lines', () => {
  const goal = { type: 'user', origin: 'goal', steer_id: null } as const;
  const reasoning = { type: 'reasoning', seconds: 1 } as const;
  const transcript = said(
    [goal, 'How many?'],
    [text, 'Let me see.'],
    [text, '**Twelve**\n\n- `a` pear'],
    [text, ' '],
    [reasoning, 'hm'],
  );
  expect(latestAnswer(transcript)).toBe('Twelve\na pear');
});

test('a lead that has said nothing has no answer', () => {
  expect(latestAnswer(undefined)).toBe('');
  expect(latestAnswer(said([{ type: 'user', origin: 'goal', steer_id: null }, 'How many?']))).toBe('');
});
