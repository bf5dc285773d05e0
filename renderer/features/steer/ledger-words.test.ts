import { describe, expect, it } from 'vitest';
import { SteerState, type SteerRow } from '../../../core/protocol/rows.ts';
import { ledgerWords, shownLedger } from './ledger-words.ts';

const at = new Date(2026, 4, 12, 14, 19).getTime();
const row = (state: SteerState, mode: SteerRow['mode'] = 'steer') => ledgerWords({ state, mode, changed_at: at });

describe('steer ledger (C2)', () => {
  it('has words for every state', () => {
    expect(SteerState.options.map((state) => row(state).text)).toEqual([
      'accepted 14:19',
      'queued, next safe boundary',
      'delivered 14:19',
      'handed over 14:19',
      'missed 14:19',
    ]);
  });

  it('a queued follow-up waits for the answer', () => {
    expect(row('queued', 'follow_up').text).toBe('queued, after its answer');
  });

  it('only delivered counts as done; handed over explains itself', () => {
    expect(row('delivered').tone).toBe('ok');
    expect(row('handed_over')).toMatchObject({ tone: 'quiet' });
    expect(row('handed_over').title).toContain('does not say');
    expect(row('missed').tone).toBe('warn');
  });

  it('shows the last three, and before them whatever is not settled', () => {
    const states: SteerState[] = ['missed', 'delivered', 'queued', 'delivered', 'delivered', 'accepted'];
    const rows = states.map((state, place) => ({ steer_id: `${place}`, state }) as SteerRow);
    expect(shownLedger(rows, false).map(({ steer_id }) => steer_id)).toEqual(['0', '2', '3', '4', '5']);
    expect(shownLedger(rows, true)).toHaveLength(6);
  });
});
