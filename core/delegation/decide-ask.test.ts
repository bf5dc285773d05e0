import { describe, expect, test } from 'vitest';
import { DelegationWorld } from '../testing/delegation.ts';
import { decideAnswer, type AskChoice } from './decide-ask.ts';
import { decideReconnected } from './decide-attempt.ts';
import { decideGate } from './decide-pause.ts';

const PERMISSION = {
  type: 'ask',
  kind: 'permission',
  title: 'Run a command',
  tool: 'bash',
  detail: 'npm test',
  diff: null,
} as const;

function asking(kind: 'permission' | 'question' = 'permission'): { world: DelegationWorld; run: string; ask: string } {
  const world = new DelegationWorld();
  const [run = ''] = world.dispatch([{ label: 'Parser' }, {}]).run_ids;
  world.begin();
  world.tell(run, { ...PERMISSION, kind, key: 'k1' });
  const [ask = ''] = world.tree.asks.keys();
  return { world, run, ask };
}

const answer = (world: DelegationWorld, ask: string, choice: AskChoice, by = 'desktop'): unknown =>
  world.decide((step) => decideAnswer(step, ask, { choice, note: null, by }));

describe('A2: one inbox', () => {
  test('an ask shows its chain to the root, and its run waits for a person', () => {
    const { world, run, ask } = asking();
    expect(world.state(run)).toBe('waiting: permission');
    expect(world.tree.conversation.needs_you).toBe(1);
    expect(world.tree.asks.get(ask)?.row.chain).toEqual([
      { run_id: null, words: 'You' },
      { run_id: run, words: '[set 1 · 1/2] Parser' },
    ]);
    expect(world.tree.asks.get(ask)?.row.asker).toEqual({
      agent: 'general',
      name: 'Parser',
      tag: '[set 1 · 1/2]',
      set: 1,
      permission: 'edit',
    });
  });

  test('case 52: answered twice → one wins, the other is told who', () => {
    const { world, run, ask } = asking();
    expect(answer(world, ask, 'once')).toMatchObject({
      ok: true,
      value: { state: 'answered', answered_by: 'desktop', settled_at: world.now },
    });
    expect(answer(world, ask, 'deny', 'cli')).toMatchObject({
      ok: false,
      error: { code: 'already_answered', message: 'This permission was already answered by desktop.' },
    });
    expect(world.framesTo(run)).toEqual([{ type: 'answer', key: 'k1', choice: 'allow', remember: false, note: null }]);
    expect(world.state(run)).toBe('running');
    expect(world.tree.conversation.needs_you).toBe(0);
  });

  test.each<[AskChoice, string, boolean]>([
    ['once', 'allow', false],
    ['run', 'allow', true],
    ['set', 'allow', true],
    ['project', 'allow', true],
    ['deny', 'deny', false],
  ])('A2: %s reaches the worker as %s', (choice, given, remember) => {
    const { world, run, ask } = asking();
    answer(world, ask, choice);
    expect(world.framesTo(run)).toMatchObject([{ choice: given, remember }]);
  });

  test('A2: a question is answered with text, a permission is not; a refusal of either is possible', () => {
    const question = asking('question');
    expect(answer(question.world, question.ask, 'once')).toMatchObject({ error: { code: 'invalid_input' } });
    expect(answer(question.world, question.ask, 'text')).toMatchObject({ ok: true });
    const permission = asking();
    expect(answer(permission.world, permission.ask, 'text')).toMatchObject({ error: { code: 'invalid_input' } });
    expect(answer(permission.world, permission.ask, 'deny')).toMatchObject({ ok: true });
  });

  test('A2: of two asks of a run both must be answered before it reads as running', () => {
    const { world, run, ask } = asking();
    world.tell(run, { ...PERMISSION, key: 'k2' });
    answer(world, ask, 'once');
    expect(world.state(run)).toBe('waiting: permission');
    answer(world, [...world.tree.asks.keys()][1] ?? '', 'once');
    expect(world.state(run)).toBe('running');
  });

  test('D4: the same ask sent twice is one', () => {
    const { world, run } = asking();
    world.tell(run, { ...PERMISSION, key: 'k1' });
    expect(world.tree.asks.size).toBe(1);
  });

  test('D4: a worker that is back gets the answers again that it still waits for', () => {
    const { world, run, ask } = asking();
    answer(world, ask, 'run');
    world.decide((step) => decideReconnected(step, run, [], ['k1', 'k9']));
    expect(world.framesTo(run).filter(({ type }) => type === 'answer')).toHaveLength(2);
  });

  test('A2: an ask whose run has ended, or that its worker closed, is closed and says so', () => {
    const { world, run, ask } = asking();
    world.tell(run, { type: 'ask_closed', key: 'k1' });
    expect(answer(world, ask, 'once')).toMatchObject({ error: { code: 'already_answered' } });
    world.tell(run, { ...PERMISSION, key: 'k2' });
    world.exit(run);
    expect([...world.tree.asks.values()].map(({ row }) => row.state)).toEqual(['closed', 'closed']);
    expect(answer(world, 'ask_ffffffffffff', 'once')).toMatchObject({ error: { code: 'not_found' } });
  });
});

describe('R1: a run that has given its place back, for children of another call, is answered', () => {
  /** The run waits for a child beside its permission; the child holds the only place. */
  function unplaced() {
    const world = new DelegationWorld({ concurrency: 1 });
    const [run = ''] = world.dispatch([{}]).run_ids;
    world.begin();
    const [child = ''] = world.runsOf(world.delegate(run, 'c1', 1) ?? '');
    world.begin();
    world.tell(run, { ...PERMISSION, key: 'k1' });
    const [ask = ''] = world.tree.asks.keys();
    const answers = () => world.framesTo(run).filter(({ type }) => type === 'answer');
    return { world, run, child, ask, answers };
  }

  test('the ask is settled at once; the run hears it with its place, once, and no more are at work than may be', () => {
    const { world, run, child, ask, answers } = unplaced();
    expect(answer(world, ask, 'once')).toMatchObject({ ok: true, value: { state: 'answered' } });
    expect(world.tree.conversation.needs_you).toBe(0);
    expect(world.state(run)).toBe('waiting: concurrency');
    expect(answers()).toEqual([]);
    world.decide((step) => decideReconnected(step, run, [], ['k1']));
    expect(answers()).toEqual([]);
    world.end(child);
    world.begin();
    expect(world.state(run)).toBe('running');
    expect(answers()).toHaveLength(1);
    expect(world.admission.atWork).toBe(1);
  });

  test('paused meanwhile → it hears it when it is resumed', () => {
    const { world, run, child, ask, answers } = unplaced();
    world.decide((step) => decideGate(step, run, true));
    answer(world, ask, 'once');
    world.end(child);
    world.begin();
    expect(world.state(run)).toBe('waiting: paused');
    expect(answers()).toEqual([]);
    world.decide((step) => decideGate(step, run, false));
    world.begin();
    expect(answers()).toHaveLength(1);
  });

  test('stopped meanwhile → it hears nothing more', () => {
    const { world, run, ask, answers } = unplaced();
    answer(world, ask, 'once');
    world.stop(run);
    world.begin();
    expect(answers()).toEqual([]);
  });
});
