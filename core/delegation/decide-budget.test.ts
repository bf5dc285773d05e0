import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEnded } from '../protocol/lifecycle.ts';
import type { Progress } from '../protocol/report.ts';
import { NO_TOKENS, totalTokens } from '../protocol/token-sums.ts';
import { roundUsd } from '../runs/money.ts';
import { DelegationWorld, testReport } from '../testing/delegation.ts';
import { decideRestart } from './decide-attempt.ts';
import { heldIn } from './holds.ts';

function progress(cost_usd: number, input = 0): Progress {
  return { ...testReport().progress, tokens: { ...NO_TOKENS, input }, cost_usd, active_seconds: 1 };
}

const ends = (cost_usd: number, input = 0) => ({ progress: progress(cost_usd, input) });

/** A lead that has spent $0.01 and waits for two children with limits of $20 each, in a tree of $3. */
function case25(): { world: DelegationWorld; lead: string; first: string; second: string } {
  const world = new DelegationWorld({ treeCostUsd: 3 });
  const lead = world.lead();
  world.begin();
  world.tell(lead, { type: 'progress', progress: progress(0.01) });
  const set = world.delegate(lead, 'c1', [{ limits: { max_cost_usd: 20 } }, { limits: { max_cost_usd: 20 } }]);
  world.begin();
  const [first = '', second = ''] = world.runsOf(set ?? '');
  return { world, lead, first, second };
}

describe('R5: holds', () => {
  it('case 25: the first child holds 2.99, the second waits, then holds 2.98', () => {
    const { world, first, second } = case25();
    expect(world.tree.holds.get(first)).toMatchObject({ cost_usd: 2.99 });
    expect(world.state(second)).toBe('queued: budget');
    expect(world.run(second).words).toBe('Queued: for budget');
    expect(heldIn(world.tree).cost_usd).toBe(2.99);
    world.end(first, ends(0.01));
    expect(world.tree.holds.has(first)).toBe(false);
    world.begin();
    expect(world.state(second)).toBe('running');
    expect(world.tree.holds.get(second)).toMatchObject({ cost_usd: 2.98 });
  });

  it('case 25: with nothing running and nothing left the next is refused at once, with the figures', () => {
    const { world, first, second } = case25();
    world.end(first, ends(2.99));
    world.begin();
    expect(world.run(second)).toMatchObject({
      state: 'ended',
      outcome: 'failed',
      exit_reason: 'refused',
      failure_reason: 'budget',
    });
    expect(world.run(second).error).toBe(
      'Nothing is left of the limit of $3.00 of this conversation (limits.treeCostUsd): $3.00 spent, $0.00 held by runs at work.',
    );
    expect(world.attempts.has(second)).toBe(false);
  });

  it('a parent that only waits holds nothing, and gets what is then left before it goes on', () => {
    const { world, lead, first, second } = case25();
    expect(world.tree.holds.has(lead)).toBe(false);
    world.end(first, ends(0.01));
    world.begin();
    world.end(second, ends(1));
    world.begin();
    expect(world.state(lead)).toBe('running');
    expect(world.tree.holds.get(lead)).toMatchObject({ cost_usd: 1.99 });
    const limits = world.framesTo(lead).filter(({ type }) => type === 'limits');
    expect(limits).toEqual([{ type: 'limits', max_cost_usd: 1.99, max_tokens: null, note: null }]);
  });

  it('a parent for which nothing is left goes on with nothing, and is told why', () => {
    const { world, lead, first, second } = case25();
    world.end(first, ends(2.99));
    world.begin();
    expect(world.run(second).outcome).toBe('failed');
    world.begin();
    expect(world.state(lead)).toBe('running');
    expect(world.framesTo(lead).find(({ type }) => type === 'limits')).toMatchObject({
      max_cost_usd: 0.01,
      note: expect.stringContaining('Nothing is left of the limit of $3.00'),
    });
  });

  it('a stop of one that waits for budget ends it; a stop of its sibling lets it start', () => {
    const one = case25();
    one.world.stop(one.second);
    expect(one.world.run(one.second)).toMatchObject({ outcome: 'stopped' });
    const other = case25();
    other.world.stop(other.first);
    other.world.exit(other.first);
    other.world.begin();
    expect(other.world.state(other.second)).toBe('running');
  });

  it('programs without a model wait for no budget', () => {
    const world = new DelegationWorld({ treeCostUsd: 1 });
    const { run_ids } = world.dispatch([{}, { agent: 'command' }, {}]);
    world.begin();
    expect(run_ids.map((id) => world.state(id))).toEqual(['running', 'running', 'queued: budget']);
  });

  it('the limits of a batch hold for its set and everything below it, those of others do not count', () => {
    const world = new DelegationWorld();
    const { run_ids } = world.dispatch(2, { tree_limits: { max_cost_usd: 1, max_tokens: 500 } });
    const other = world.dispatch(1);
    world.begin();
    const [first = '', second = ''] = run_ids;
    expect(world.state(second)).toBe('queued: budget');
    expect(world.state(other.run_ids[0] ?? '')).toBe('running');
    world.tell(first, { type: 'progress', progress: progress(0.4, 100) });
    const nested = world.delegate(first, 'c1', 1) ?? '';
    world.begin();
    const [child = ''] = world.runsOf(nested);
    // Whoever comes first after the parent gave its hold back.
    const held = [child, second].map((id) => world.tree.holds.get(id)).find((hold) => hold !== undefined);
    expect(held).toMatchObject({ cost_usd: 0.6, tokens: 400 });
  });

  it('a day is limited over everything that is used on it, and another day begins anew', () => {
    const world = new DelegationWorld({ dayCostUsd: 5 });
    world.elsewhere = { spent: { cost_usd: 3, unknown: false, tokens: 0 }, held: { cost_usd: 1.5, tokens: 0 } };
    const { run_ids } = world.dispatch(2);
    const [first = '', second = ''] = run_ids;
    world.begin();
    expect(world.tree.holds.get(first)).toMatchObject({ cost_usd: 0.5 });
    expect(world.state(second)).toBe('queued: budget');
    world.day = '2026-08-01';
    world.elsewhere = { spent: { cost_usd: 0, unknown: false, tokens: 0 }, held: { cost_usd: 0, tokens: 0 } };
    world.begin();
    expect(world.tree.holds.get(second)).toMatchObject({ cost_usd: 4.5 });
  });

  it('what a run uses is counted on the day on which it uses it', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.begin();
    world.tell(run, { type: 'progress', progress: progress(0.4, 100) });
    world.day = '2026-08-01';
    world.end(run, ends(1, 300));
    expect(Object.fromEntries(world.tree.usage)).toEqual({
      '2026-07-31': { cost_usd: 0.4, unknown: false, tokens: 100 },
      '2026-08-01': { cost_usd: 0.6, unknown: false, tokens: 200 },
    });
  });
});

describe('R5: a request in flight when a worker dies', () => {
  const in_flight = { tokens: { ...NO_TOKENS, input: 1000, output: 4000 }, cost_usd: 0.041 };

  it('counts at its worst, marked estimated', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.begin();
    world.tell(run, { type: 'progress', progress: { ...progress(0.2, 100), cost_status: 'reported' } });
    world.tell(run, { type: 'progress', progress: { ...progress(0.2, 100), cost_status: 'reported', in_flight } });
    expect(world.run(run)).toMatchObject({ cost_usd: 0.2, in_flight });
    world.exit(run, { exit: { code: null, signal: 'SIGKILL' } });
    expect(world.run(run)).toMatchObject({
      outcome: 'failed',
      failure_reason: 'process',
      cost_usd: 0.241,
      cost_status: 'estimated',
      tokens: { input: 1100, output: 4000 },
      in_flight: null,
    });
    expect(world.tree.facts.get(run)?.result).toMatchObject({ cost_usd: 0.241, cost_status: 'estimated' });
    expect(world.tree.conversation.cost_usd).toBe(0.241);
  });

  it('does not count when the worker has told what it really cost', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.begin();
    world.tell(run, { type: 'progress', progress: { ...progress(0.2), in_flight } });
    world.end(run, ends(0.21));
    expect(world.run(run)).toMatchObject({ cost_usd: 0.21, outcome: 'completed' });
    expect(world.tree.conversation.cost_usd).toBe(0.21);
  });
});

describe('R6: a total is its own and that of each child once', () => {
  it('rises with the children at every level, and stays when the set ends, also twice (case 24)', () => {
    const world = new DelegationWorld();
    const lead = world.lead();
    world.begin();
    world.tell(lead, { type: 'progress', progress: progress(0.5, 10) });
    const set = world.delegate(lead, 'c1', 1) ?? '';
    world.begin();
    const [child = ''] = world.runsOf(set);
    world.tell(child, { type: 'progress', progress: progress(0.2, 5) });
    const inner = world.delegate(child, 'c2', 2) ?? '';
    world.begin();
    const [one = '', two = ''] = world.runsOf(inner);
    world.tell(one, { type: 'progress', progress: progress(0.1, 1) });
    expect(world.run(lead)).toMatchObject({ cost_usd: 0.5, total_cost_usd: 0.8, total_tokens: 16 });
    expect(world.run(child)).toMatchObject({ total_cost_usd: 0.3, total_tokens: 6 });
    world.end(one, ends(0.1234567, 1));
    world.end(two, ends(0.1, 1));
    world.begin();
    world.end(child, ends(0.2, 5));
    expect(world.run(lead).total_cost_usd).toBe(0.923457);
    expect(world.tree.sets.get(set)?.totals.cost_usd).toBe(0.423457);
    expect(world.tree.conversation.cost_usd).toBe(0.923457);
    const ended = world.eventsOf('set_ended').at(-1);
    if (ended !== undefined) world.decide((step) => step.emit(ended));
    expect(world.run(lead).total_cost_usd).toBe(0.923457);
  });

  it('is unknown as soon as a part of it is', () => {
    const world = new DelegationWorld();
    const lead = world.lead();
    world.begin();
    const set = world.delegate(lead, 'c1', 1) ?? '';
    world.begin();
    world.tell(world.runsOf(set)[0] ?? '', {
      type: 'progress',
      progress: { ...progress(0, 5), cost_usd: null, cost_status: 'unknown' },
    });
    expect(world.run(lead)).toMatchObject({ cost_usd: 0, total_cost_usd: null, total_tokens: 5 });
  });
});

it('R6: prices are those of the first start, also for later attempts', () => {
  const world = new DelegationWorld();
  world.prices.set('p/m', { input: 1, output: 10 });
  const [run = ''] = world.dispatch([{ model: 'p/m', fallback_models: ['p/free'] }]).run_ids;
  world.grant();
  expect(world.run(run).prices).toEqual({ 'p/m': { input: 1, output: 10 }, 'p/free': null });
  world.prices.set('p/m', { input: 2, output: 20 });
  world.exit(run, { exit: { code: 1, signal: null } });
  world.decide((step) => decideRestart(step, run));
  expect(world.run(run)).toMatchObject({ attempts: 2, prices: { 'p/m': { input: 1, output: 10 } } });
});

/** Random life of a tree with limits: every worker keeps to what it was told. */
function live(world: DelegationWorld, choose: (n: number) => number, limit: number, steps: number): void {
  for (let at = 0; at < steps; at += 1) {
    const working = [...world.tree.runs.values()].filter(({ state }) => state === 'running');
    const run = working[choose(Math.max(1, working.length))];
    if (run === undefined) world.begin();
    else act(world, run.run_id, choose);
    const { cost_usd, tokens } = world.tree.conversation;
    const held = heldIn(world.tree);
    expect(roundUsd((cost_usd ?? 0) + held.cost_usd)).toBeLessThanOrEqual(limit);
    expect(tokens + held.tokens).toBeLessThanOrEqual(100_000);
  }
}

function act(world: DelegationWorld, runId: string, choose: (n: number) => number): void {
  const run = world.run(runId);
  const hold = world.tree.holds.get(runId);
  const room = Math.max(0, (hold?.cost_usd ?? 0) - (run.cost_usd ?? 0));
  const most = Math.max(0, (hold?.tokens ?? 0) - totalTokens(run.tokens));
  const spent = progress(
    roundUsd((run.cost_usd ?? 0) + Math.floor((room * choose(101) * 1e4) / 100) / 1e4),
    run.tokens.input + Math.floor((most * choose(11)) / 10),
  );
  switch (choose(6)) {
    case 0:
    case 1:
      return world.tell(runId, { type: 'progress', progress: spent });
    case 2:
      return void (run.depth < 2 && world.delegate(runId, `c${world.now}`, 1 + choose(3)));
    case 3:
      return world.end(runId, { progress: spent });
    case 4:
      world.stop(runId);
      return world.attempts.has(runId) ? world.exit(runId) : undefined;
    default:
      return world.begin();
  }
}

/** Lets everything come to its end: who is at work ends, who may begin does. */
function finish(world: DelegationWorld): void {
  for (let round = 0; round < 500; round += 1) {
    world.begin();
    const open = [...world.tree.runs.values()].filter(({ state }) => !isEnded(state));
    if (open.length === 0) return;
    const run = open.find(({ state }) => state === 'running');
    const stopping = open.find(({ state, run_id }) => state === 'stopping' && world.attempts.has(run_id));
    if (run !== undefined) world.end(run.run_id, { progress: { ...progress(run.cost_usd ?? 0, run.tokens.input) } });
    else if (stopping !== undefined) world.exit(stopping.run_id);
  }
  const left = [...world.tree.runs.values()].filter(({ state }) => !isEnded(state));
  throw new Error(`left waiting: ${left.map(({ run_id }) => `${run_id} ${world.state(run_id)}`).join(', ')}`);
}

it('R5: in any order of starts, spending, waits and ends held + spent stay within the limit, nobody is forgotten, all is released', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(1_000_000), { minLength: 40, maxLength: 400, size: 'max' }),
      fc.integer({ min: 1, max: 4 }),
      (dice, sets) => {
        let at = 0;
        const choose = (n: number): number => (dice[at++ % dice.length] ?? 0) % n;
        const limit = 3;
        const world = new DelegationWorld({ treeCostUsd: limit, treeTokens: 100_000, concurrency: 4, fanOut: 40 });
        for (let n = 0; n < sets; n += 1) {
          const own = choose(3) === 0 ? {} : { limits: { max_cost_usd: 0.1 + choose(20) / 10 } };
          world.dispatch(Array.from({ length: 1 + choose(5) }, () => own));
        }
        live(world, choose, limit, 60);
        finish(world);
        expect(world.tree.holds.size).toBe(0);
        expect(world.admission.atWork).toBe(0);
        const cost = [...world.tree.runs.values()].reduce((sum, run) => sum + (run.cost_usd ?? 0), 0);
        expect(world.tree.conversation.cost_usd).toBeCloseTo(cost, 5);
        expect(world.tree.usage.get(world.day)?.cost_usd ?? 0).toBeCloseTo(cost, 5);
      },
    ),
    { numRuns: 150 },
  );
});
