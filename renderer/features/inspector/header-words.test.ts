import { describe, expect, it } from 'vitest';
import { aRun } from '../../testing/fixtures.ts';
import { headerWords, heldWords, modelWords, moneyTitle, placeWords, turnWords } from './header-words.ts';

const run = (part: Partial<Parameters<typeof headerWords>[0]> = {}) => aRun({ run_id: 'run_1', ...part });
const until = new Date(2026, 4, 12, 14, 32).getTime();

describe('header of a run', () => {
  it.each([
    ['at work, what it does', run({ activity: 'Editing src/a.ts' }), 'live', 'Running', 'editing src/a.ts'],
    [
      'was told to stop',
      run({ state: 'stopping', words: 'Stopping', activity: 'Running sleep 300' }),
      'live',
      'Stopping',
      '',
    ],
    [
      'waits for a machine, until when',
      run({ state: 'waiting', reason: 'rate_limit', words: 'Waiting: rate limit', until }),
      'wait',
      'Waiting: rate limit',
      'until 14:32',
    ],
    [
      'asks',
      run({ state: 'waiting', reason: 'permission', words: 'Waiting: permission' }),
      'need',
      'Waiting: permission',
      'Waits for your answer below',
    ],
    [
      'failed, with what went wrong',
      run({ state: 'ended', outcome: 'failed', words: 'Failed', failure_text: 'exit 1' }),
      'bad',
      'Failed',
      'exit 1',
    ],
    [
      'completed with a caveat',
      run({ state: 'ended', outcome: 'completed', words: 'Completed, turn limit reached', caveats: ['truncated'] }),
      'warn',
      'Completed, turn limit reached',
      '',
    ],
    ['a state of a newer build', run({ state: 'dreaming', words: 'dreaming' }), 'wait', 'dreaming', ''],
  ])('%s', (_what, row, tone, status, detail) => {
    expect(headerWords(row)).toEqual({ tone, status, detail });
  });

  it('says where it belongs and how it is executed', () => {
    expect(
      placeWords(run({ tag: '[set 1 · 4/9]', model: 'anthropic/sonnet', isolation: 'worktree', attempts: 2 })),
    ).toEqual(['set 1 · 4/9', 'claude-code', 'sonnet', 'worktree', 'attempt 2']);
    expect(placeWords(run({ lead: true, tag: '', model: null }))).toEqual(['lead', 'claude-code']);
    expect(modelWords('openrouter/meta/llama')).toBe('meta/llama');
  });

  it('a limit matters only while it can be reached', () => {
    expect(turnWords(run({ turns: 61 }))).toBe('61 of 250 turns');
    expect(turnWords(run({ turns: 1, state: 'ended' }))).toBe('1 turn');
  });
});

describe('pause and money of a run', () => {
  it('R9: a held run says by what, one that works says nothing of it', () => {
    const held = run({ state: 'queued', reason: 'paused', words: 'Queued: paused' });
    expect(heldWords(held, [{ type: 'set', id: 'deleg_1' }])).toBe('held by the pause of its set');
    expect(heldWords(held, [{ type: 'run', id: 'run_above' }])).toBe('held by the pause of a run above it');
    expect(heldWords(run(), [{ type: 'app', id: null }])).toBe('');
  });

  it('R5, R6: money says what is its own and what is held', () => {
    const tokens = run().tokens;
    const title = moneyTitle(run({ cost_usd: 1, total_cost_usd: 3, in_flight: { tokens, cost_usd: 0.5 } }));
    expect(title).toContain('$1.00 of its own');
    expect(title).toContain('$0.50 held');
  });
});
