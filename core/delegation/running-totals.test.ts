import { describe, expect, it } from 'vitest';
import { NO_TOKENS } from '../protocol/token-sums.ts';
import type { Progress } from '../protocol/report.ts';
import { DelegationWorld, testReport, testTask } from '../testing/delegation.ts';
import { checkTotals } from '../testing/delegation-checks.ts';
import { decideRetry } from './decide-retry.ts';

const progress = (input: number, cost_usd: number | null): Progress => ({
  ...testReport().progress,
  tokens: { ...NO_TOKENS, input },
  cost_usd,
});

function totals(world: DelegationWorld, setId: string): { readonly input: number; readonly cost_usd: number | null } {
  const set = world.tree.sets.get(setId);
  if (set === undefined) throw new Error(`no set ${setId}`);
  return { input: set.totals.tokens.input, cost_usd: set.totals.cost_usd };
}

describe('the totals of a set at work', () => {
  it('grow with each run, and with what runs below it use, each once (R6)', () => {
    const world = new DelegationWorld();
    const { delegation_id, run_ids } = world.dispatch(2);
    const [first = '', second = ''] = run_ids;
    world.begin();
    world.tell(first, { type: 'progress', progress: progress(100, 0.1) });
    world.tell(first, { type: 'progress', progress: progress(150, 0.15) });
    world.tell(second, { type: 'progress', progress: progress(10, 0.01) });
    expect(totals(world, delegation_id)).toEqual({ input: 160, cost_usd: 0.16 });

    const nested = world.delegate(first, 'call-1', 1) ?? '';
    world.begin();
    world.tell(world.runsOf(nested)[0] ?? '', { type: 'progress', progress: progress(40, 0.04) });
    expect(totals(world, nested)).toEqual({ input: 40, cost_usd: 0.04 });
    expect(totals(world, delegation_id)).toEqual({ input: 200, cost_usd: 0.2 });
  });

  it('have no cost as soon as that of one run is unknown', () => {
    const world = new DelegationWorld();
    const { delegation_id, run_ids } = world.dispatch(2);
    world.begin();
    world.tell(run_ids[0] ?? '', { type: 'progress', progress: progress(10, 0.01) });
    world.tell(run_ids[1] ?? '', { type: 'progress', progress: progress(10, null) });
    expect(totals(world, delegation_id)).toEqual({ input: 20, cost_usd: null });
  });

  it('are counted anew at the end, and that is the same', () => {
    const world = new DelegationWorld();
    const { delegation_id, run_ids } = world.dispatch(1);
    world.begin();
    world.end(run_ids[0] ?? '', { progress: progress(30, 0.03) });
    expect(totals(world, delegation_id)).toEqual({ input: 30, cost_usd: 0.03 });
    expect(world.tree.sets.get(delegation_id)?.ended_at).not.toBeNull();
  });
});

it('R6: what was used below a run that was tried again, itself below one that was, counts once in the set', () => {
  const world = new DelegationWorld({ maxDepth: 3 });
  const again = (run: string): void => {
    world.fail(run);
    world.decide((step) => decideRetry(step, run, testTask()));
    world.begin();
  };
  const { run_ids, delegation_id: set } = world.dispatch(1);
  const [top = ''] = run_ids;
  world.begin();
  const nested = world.delegate(top, 'c1', 1, false) ?? '';
  world.begin();
  const [child = ''] = world.runsOf(nested);
  const [grandchild = ''] = world.runsOf(world.delegate(child, 'c2', 1, false) ?? '');
  world.begin();
  world.end(grandchild);
  again(child);
  world.end(world.runsOf(nested)[0] ?? '');
  again(top);
  world.end(world.runsOf(set)[0] ?? '');
  checkTotals(world);
});
