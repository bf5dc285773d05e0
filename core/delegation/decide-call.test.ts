import { describe, expect, test } from 'vitest';
import type { Task } from '../protocol/batch.ts';
import { DelegationWorld, testBatch } from '../testing/delegation.ts';
import { intersectLists, lowerPermission } from './ceilings.ts';
import { decideCall, decideCallRefused, decideControl, decideSpawn } from './decide-call.ts';
import type { CallRecord } from './tree.ts';

const answerOf = (world: DelegationWorld, run: string, call: string): CallRecord['answer'] | undefined =>
  world.tree.calls.get(`${run}/${call}`)?.answer;

function parent(limits: ConstructorParameters<typeof DelegationWorld>[0] = {}): {
  world: DelegationWorld;
  run: string;
} {
  const world = new DelegationWorld(limits);
  const run = world.lead();
  world.begin();
  return { world, run };
}

test('C3: a run that has said its last word starts nothing more, though its call was made before', () => {
  const { world, run } = parent();
  world.decide((step) => decideCall(step, run, { call_id: 'c1', tool: 'delegate_task', arguments: {} }));
  world.report(run);
  world.decide((step) => decideSpawn(step, run, 'c1', testBatch(2), false));
  expect(answerOf(world, run, 'c1')).toMatchObject({ is_error: true });
  expect([world.tree.runs.size, world.tree.sets.size]).toEqual([1, 0]);
});

describe('R3: fan-out', () => {
  test('case 26: a lead with fan-out 3: set of 2, then set of 2 → the second is refused whole, 2/3 used', () => {
    const { world, run } = parent({ fanOut: 3 });
    expect(world.delegate(run, 'c1', 2, false)).not.toBeNull();
    expect(world.delegate(run, 'c2', 2, false)).toBeNull();
    expect(answerOf(world, run, 'c2')).toMatchObject({ is_error: true });
    expect(answerOf(world, run, 'c2')?.text).toMatch(
      /2 of 3 runs are used below run_.* \(setting limits.fanOut\).*needs 2/,
    );
    expect(world.tree.runs.size).toBe(3);
    expect(world.delegate(run, 'c3', 1, false)).not.toBeNull();
  });

  test('case 26: a grandchild counts against the root run; the user’s own 65 tasks take none', () => {
    const world = new DelegationWorld({ fanOut: 2, maxDepth: 3 });
    const [root = ''] = world.dispatch(65).run_ids;
    world.begin();
    const [child = ''] = world.runsOf(world.delegate(root, 'c1', 1) ?? '');
    world.begin();
    expect(world.tree.fanOut.get(root)).toBe(1);
    expect(world.delegate(child, 'c1', 1)).not.toBeNull();
    expect(world.delegate(child, 'c2', 1)).toBeNull();
    expect(world.tree.fanOut.get(root)).toBe(2);
  });

  test('R3: what has ended is not refunded', () => {
    const { world, run } = parent({ fanOut: 1 });
    const [child = ''] = world.runsOf(world.delegate(run, 'c1', 1, false) ?? '');
    world.begin();
    world.end(child);
    expect(world.delegate(run, 'c2', 1, false)).toBeNull();
  });

  test('case 27: at the depth cap the call returns an error that names cap and setting', () => {
    const { world, run } = parent({ maxDepth: 1 });
    const [child = ''] = world.runsOf(world.delegate(run, 'c1', 1, false) ?? '');
    world.begin();
    expect(world.delegate(child, 'c1', 1)).toBeNull();
    expect(answerOf(world, child, 'c1')?.text).toMatch(/depth 1 and the depth cap is 1 \(setting limits.maxDepth\)/);
  });

  test('case 27: over the cap of one turn nothing is charged; the next turn begins anew', () => {
    const { world, run } = parent({ fanOutPerTurn: 2, fanOut: 10 });
    expect(world.delegate(run, 'c1', 2, false)).not.toBeNull();
    expect(world.delegate(run, 'c2', 1, false)).toBeNull();
    expect(answerOf(world, run, 'c2')?.text).toMatch(/2 runs were started in this turn, the cap is 2/);
    expect(world.tree.fanOut.get(run)).toBe(2);
    const progress = { turns: 2, tool_calls: 2, cost_usd: 0, cost_status: 'estimated', active_seconds: 1 } as const;
    const tokens = { input: 0, cached_input: 0, cache_write: 0, output: 0, reasoning: 0 };
    world.tell(run, { type: 'progress', progress: { ...progress, tokens } });
    expect(world.delegate(run, 'c3', 2, false)).not.toBeNull();
  });

  test('R3: what a turn has started stands in its calls, not in the memory of one core; what a person adds counts for nobody', () => {
    const { world, run } = parent({ fanOutPerTurn: 2, fanOut: 10 });
    const set = world.delegate(run, 'c1', 1, false) ?? '';
    expect(world.tree.calls.get(`${run}/c1`)).toMatchObject({
      turn: world.tree.runs.get(run)?.turns,
      delegation_id: set,
    });
    expect(Object.keys(world.tree.memory)).not.toContain('turnFanOut');
    for (const row of world.tree.runs.values()) {
      if (row.delegation_id === set) world.tree.runs.set(row.run_id, { ...row, added: true });
    }
    expect(world.delegate(run, 'c2', 2, false)).not.toBeNull();
  });
});

describe('K3: a child gets no more than its parent', () => {
  test.each([
    ['auto', 'plan', 'plan'],
    ['plan', 'auto', 'plan'],
    ['ask', 'edit', 'ask'],
    ['edit', 'edit', 'edit'],
  ] as const)('the lower of %s and %s is %s', (a, b, lower) => {
    expect(lowerPermission(a, b)).toBe(lower);
  });

  test.each([
    [null, null, null],
    [null, ['read'], ['read']],
    [['read'], null, ['read']],
    [['read', 'grep'], ['read', 'bash'], ['read']],
    [['read'], [], []],
  ])('case 50: %j and %j → %j', (a, b, both) => {
    expect(intersectLists(a, b)).toEqual(both);
  });

  test('case 50: tools and permission of a delegated task are cut to those of its parent', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch([{ tools: ['read', 'grep'], permission: 'ask' }]).run_ids;
    world.begin();
    const task: Partial<Task> = { tools: ['read', 'bash'], permission: 'auto' };
    const [child = ''] = world.runsOf(world.delegate(run, 'c1', [task]) ?? '');
    expect(world.tree.facts.get(child)?.task).toMatchObject({ tools: ['read'], permission: 'ask' });
    expect(world.run(child).permission).toBe('ask');
  });
});

describe('P7: the same call never acts twice', () => {
  test('the same call again before its answer starts nothing, after it gets the same answer', () => {
    const { world, run } = parent();
    const set = world.delegate(run, 'c1', 1) ?? '';
    expect(world.delegate(run, 'c1', 1)).toBe(set);
    expect(world.tree.runs.size).toBe(2);
    expect(world.takenUp).toHaveLength(1);
    world.begin();
    world.end(world.runsOf(set)[0] ?? '');
    world.begin();
    world.decide((step) => decideCall(step, run, { call_id: 'c1', tool: 'delegate_task', arguments: {} }));
    const results = world.framesTo(run).filter(({ type }) => type === 'call_result');
    expect(results).toHaveLength(2);
    expect(results[0]).toEqual(results[1]);
    expect(world.eventsOf('call_answered')).toHaveLength(1);
  });

  test('P1: without waiting the answer is the handle, and names the background delegation', () => {
    const { world, run } = parent();
    const set = world.delegate(run, 'c1', 2, false) ?? '';
    const [frame] = world.framesTo(run);
    expect(frame).toMatchObject({ type: 'call_result', background: set, is_error: false });
    expect(JSON.parse(answerOf(world, run, 'c1')?.text ?? '')).toMatchObject({ delegation_id: set, set: 1, count: 2 });
  });

  test('S1: a call that cannot be carried out is answered once, with words for the model', () => {
    const { world, run } = parent();
    world.decide((step) => decideCall(step, run, { call_id: 'c1', tool: 'delegate_task', arguments: { tasks: [] } }));
    for (const text of ['first', 'second']) world.decide((step) => decideCallRefused(step, run, 'c1', text));
    expect(world.framesTo(run)).toMatchObject([{ type: 'call_result', is_error: true, text: 'first' }]);
  });
});

describe('C1: a run acts on its own descendants only', () => {
  function family(): { world: DelegationWorld; run: string; child: string; stranger: string; call: CallRecord } {
    const world = new DelegationWorld();
    const [run = '', stranger = ''] = world.dispatch(2).run_ids;
    world.begin();
    const [child = ''] = world.runsOf(world.delegate(run, 'c1', [{ label: 'Look' }], false) ?? '');
    world.begin();
    world.decide((step) => decideCall(step, run, { call_id: 'c2', tool: 'delegate_task', arguments: {} }));
    const call = world.tree.calls.get(`${run}/c2`);
    if (call === undefined) throw new Error('no call');
    return { world, run, child, stranger, call };
  }

  test.each(['steer', 'stop', 'answer'] as const)(
    'case 32: %s of a foreign run → the same error as for an unknown id',
    (action) => {
      const errors = ['stranger', 'own', 'unknown'].map((who) => {
        const { world, run, stranger, call } = family();
        const id = who === 'stranger' ? stranger : who === 'own' ? run : 'run_ffffffffffff';
        world.decide((step) => decideControl(step, call, { action, run_id: id, message: 'hello' }));
        const answer = answerOf(world, run, 'c2');
        expect(answer?.is_error).toBe(true);
        expect(world.stopped).toEqual([]);
        return answer?.text.replace(id, '<id>');
      });
      expect(new Set(errors).size).toBe(1);
    },
  );

  test('list shows what lives below, with what a model needs to act', () => {
    const { world, run, child, call } = family();
    world.decide((step) => decideControl(step, call, { action: 'list' }));
    expect(JSON.parse(answerOf(world, run, 'c2')?.text ?? '')).toMatchObject({
      count: 1,
      runs: [
        {
          run_id: child,
          parent_run_id: run,
          label: 'Look',
          state: 'running',
          accepting_steer: true,
          transcript: child,
        },
      ],
    });
  });

  test('list counts the seconds that a run is at it right now', () => {
    const { world, run, call } = family();
    world.now += 5_000;
    world.decide((step) => decideControl(step, call, { action: 'list' }));
    const { runs } = JSON.parse(answerOf(world, run, 'c2')?.text ?? '') as { runs: { running_seconds: number }[] };
    expect(runs[0]?.running_seconds).toBeGreaterThanOrEqual(5);
  });

  const ASK = { tool: null, detail: '', diff: null };

  test('answer goes to the question of a descendant; the parent hears of it, and list shows it', () => {
    const { world, run, child, call } = family();
    world.tell(child, { type: 'ask', key: 'k1', kind: 'question', title: 'Which port?', ...ASK });
    const [notice] = world.framesTo(run).filter(({ type }) => type === 'notice');
    expect(notice).toMatchObject({ text: expect.stringContaining('Which port?') as string });
    world.decide((step) => decideControl(step, call, { action: 'list' }));
    expect(answerOf(world, run, 'c2')?.text).toContain('"question":"Which port?"');
    world.decide((step) => decideCall(step, run, { call_id: 'c3', tool: 'delegate_task', arguments: {} }));
    const second = world.tree.calls.get(`${run}/c3`) ?? call;
    world.decide((step) => decideControl(step, second, { action: 'answer', run_id: child, message: '8080' }));
    expect(world.framesTo(child)).toMatchObject([{ type: 'answer', key: 'k1', choice: 'text', note: '8080' }]);
    expect([...world.tree.asks.values()][0]?.row).toMatchObject({ state: 'answered', answered_by: '[set 1 · 1/2]' });
    expect(world.state(child)).toBe('running');
  });

  test.each([
    ['a permission', true, 'It waits for a permission, which only a person can give.'],
    ['nothing', false, 'It has asked nothing.'],
  ])('answer to a descendant that has asked for %s is refused', (_, asks, why) => {
    const { world, run, child, call } = family();
    if (asks) world.tell(child, { type: 'ask', key: 'k1', kind: 'permission', title: 'Run', ...ASK });
    world.decide((step) => decideControl(step, call, { action: 'answer', run_id: child, message: 'yes' }));
    expect(answerOf(world, run, 'c2')).toEqual({ is_error: true, text: why });
    expect(world.framesTo(child)).toEqual([]);
  });

  test('steer and stop of a descendant work', () => {
    const { world, run, child, call } = family();
    world.decide((step) => decideControl(step, call, { action: 'steer', run_id: child, message: 'Hurry' }));
    expect(world.framesTo(child)).toMatchObject([{ type: 'steer', text: 'Hurry' }]);
    world.decide((step) => decideCall(step, run, { call_id: 'c3', tool: 'delegate_task', arguments: {} }));
    const second = world.tree.calls.get(`${run}/c3`) ?? call;
    world.decide((step) => decideControl(step, second, { action: 'stop', run_id: child }));
    expect(world.stopped).toEqual([child]);
    expect(answerOf(world, run, 'c3')).toMatchObject({ is_error: false });
  });
});
