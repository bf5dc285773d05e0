import { describe, expect, test } from 'vitest';
import type { RunReport } from '../protocol/report.ts';
import type { RunRow } from '../protocol/rows.ts';
import { DelegationWorld } from '../testing/delegation.ts';
import { setStatus, totalsOf } from './set-status.ts';
import { slotRuns } from './tree.ts';

/** One letter a slot: `✓` clean, `⚠` truncated, `✗` failed, `■` stopped, `⌛` timed out, `?` lost, `…` not ended. */
function rows(slots: string): RunRow[] {
  const world = new DelegationWorld();
  const { run_ids, delegation_id } = world.dispatch([...slots].length);
  world.begin();
  [...slots].forEach((slot, at) => endAs(world, run_ids[at] ?? '', slot));
  return slotRuns(world.tree, delegation_id);
}

const REPORTS: Record<string, Partial<RunReport>> = {
  '✓': {},
  '⚠': { limit: 'max_turns' },
  '✗': { answer: '' },
  '⌛': { cut_by: 'deadline' },
};

function endAs(world: DelegationWorld, run: string, slot: string): void {
  if (slot === '…') return;
  if (slot === '■') {
    world.stop(run);
    world.exit(run);
  } else if (slot === '?') world.exit(run, { exit: null });
  else world.end(run, REPORTS[slot]);
}

describe('T5: status of a set, first match', () => {
  test.each([
    ['✓…', 'running'],
    ['✗…', 'running'],
    ['✓✓', 'completed'],
    ['✓', 'completed'],
    ['✓■', 'stopped'],
    ['■■', 'stopped'],
    ['✓✗', 'partial'],
    ['⚠✗', 'partial'],
    ['⚠', 'partial'],
    ['⚠■', 'partial'],
    ['✓⌛', 'partial'],
    ['✓?', 'partial'],
    ['✗■', 'failed'],
    ['✗', 'failed'],
    ['⌛?', 'failed'],
  ])('%s → %s', (slots, status) => {
    expect(setStatus(rows(slots))).toBe(status);
  });
});

describe('T5: totals', () => {
  test('counts per outcome and caveat', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id } = world.dispatch(7);
    world.begin();
    [...'✓⚠✗■⌛??'].forEach((slot, at) => endAs(world, run_ids[at] ?? '', slot));
    expect(totalsOf(world.tree, slotRuns(world.tree, delegation_id))).toMatchObject({
      completed: 2,
      truncated: 1,
      failed: 1,
      stopped: 1,
      timed_out: 1,
      lost: 2,
      acceptance_failed: 0,
      nested: { runs: 0, failed: 0 },
    });
  });

  test('R6: what lies below counts once in money, tokens and `nested`, also if the set is finalised twice (case 24)', () => {
    const world = new DelegationWorld({ maxDepth: 3 });
    const { run_ids, delegation_id } = world.dispatch(1);
    const [parent = ''] = run_ids;
    world.begin();
    const [child = '', failing = ''] = world.runsOf(world.delegate(parent, 'c1', 2) ?? '');
    world.begin();
    const [grandchild = ''] = world.runsOf(world.delegate(child, 'c1', 1) ?? '');
    world.begin();
    world.end(grandchild);
    world.begin();
    world.fail(failing);
    world.end(child);
    world.begin();
    world.end(parent);
    const totals = (): unknown => totalsOf(world.tree, slotRuns(world.tree, delegation_id));
    expect(totals()).toMatchObject({
      completed: 1,
      cost_usd: 0.04,
      tokens: { input: 40 },
      nested: { runs: 3, failed: 1 },
    });
    expect(totals()).toEqual(world.tree.sets.get(delegation_id)?.totals);
    expect(world.tree.conversation).toMatchObject({ cost_usd: 0.04, tokens: 60 });
  });

  test('case 24: costs add up to six places: 0.1234567 is 0.123457', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id } = world.dispatch(2);
    world.begin();
    const tokens = { input: 1, cached_input: 0, cache_write: 0, output: 1, reasoning: 0 };
    for (const run of run_ids) {
      const progress = {
        turns: 1,
        tool_calls: 0,
        tokens,
        cost_usd: 0.1234567,
        cost_status: 'estimated',
        active_seconds: 1,
      } as const;
      world.end(run, { progress });
      expect(world.run(run).cost_usd).toBe(0.123457);
    }
    expect(totalsOf(world.tree, slotRuns(world.tree, delegation_id)).cost_usd).toBe(0.246914);
  });

  test('R5: one unknown price makes the sum unknown, never 0; a run without a request has cost nothing', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id } = world.dispatch(2);
    world.begin();
    const tokens = { input: 1, cached_input: 0, cache_write: 0, output: 1, reasoning: 0 };
    const none = { ...tokens, input: 0, output: 0 };
    const progress = { turns: 1, tool_calls: 0, cost_usd: null, cost_status: 'unknown', active_seconds: 1 } as const;
    world.end(run_ids[0] ?? '', { progress: { ...progress, tokens: none }, error: { reason: 'auth', message: '401' } });
    expect(totalsOf(world.tree, slotRuns(world.tree, delegation_id)).cost_usd).toBe(0);
    world.end(run_ids[1] ?? '', { progress: { ...progress, tokens } });
    expect(totalsOf(world.tree, slotRuns(world.tree, delegation_id)).cost_usd).toBeNull();
    expect(world.tree.conversation.cost_usd).toBeNull();
  });

  test('case 19: an outcome of a newer build counts nowhere', () => {
    const [row] = rows('✓');
    const world = new DelegationWorld();
    const newer = { ...(row as RunRow), outcome: 'evaporated' };
    const { completed, failed, stopped, timed_out, lost } = totalsOf(world.tree, [newer]);
    expect(completed + failed + stopped + timed_out + lost).toBe(0);
    expect(setStatus([newer])).toBe('failed');
  });
});
