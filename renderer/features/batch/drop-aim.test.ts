import { describe, expect, test } from 'vitest';
import { aRun, aSet } from '../../testing/fixtures.ts';
import { aimAt } from './drop-aim.ts';

const live = (part: Parameters<typeof aRun>[0], ended: number | null = null) => ({
  runs: new Map([[part.run_id, aRun(part)]]),
  sets: new Map([['d1', aSet({ delegation_id: 'd1', set: 3, ended_at: ended })]]),
});
const row = {
  closest: (selector: string) => ({
    dataset: selector === '[data-drop-run]' ? { dropRun: 'r1' } : { dropSet: 'd1' },
  }),
};
const header = {
  closest: (selector: string) => (selector === '[data-drop-run]' ? null : { dataset: { dropSet: 'd1' } }),
};

describe('a drop', () => {
  test('of files on a row is for its run, of a text for its set', () => {
    expect(aimAt(row, true, live({ run_id: 'r1' }))).toEqual({ type: 'run', id: 'r1' });
    expect(aimAt(row, false, live({ run_id: 'r1' }))).toEqual({ type: 'set', id: 'd1', set: 3 });
  });

  test('C2: a command takes no messages, so its files are tasks', () => {
    expect(aimAt(row, true, live({ run_id: 'r1', runner: 'command' })).type).toBe('set');
  });

  test('S8: on a card adds to the set until that has ended', () => {
    expect(aimAt(header, true, live({ run_id: 'r1' })).type).toBe('set');
    expect(aimAt(header, true, live({ run_id: 'r1' }, 5)).type).toBe('window');
    expect(aimAt(null, true, live({ run_id: 'r1' })).type).toBe('window');
  });
});
