import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isEnded } from '../protocol/lifecycle.ts';
import type { RunReport } from '../protocol/report.ts';
import type { RunRow } from '../protocol/rows.ts';
import { testBatch, testReport } from '../testing/delegation.ts';
import {
  checkBelow,
  checkCounts,
  checkHistory,
  checkNothingOpen,
  checkPlaces,
  checkQueues,
  checkStopped,
  checkTotals,
} from '../testing/delegation-checks.ts';
import { restartCore } from '../testing/restarted-world.ts';
import { WatchedWorld } from '../testing/watched-world.ts';
import { decideAnswer } from './decide-ask.ts';
import { decideAdd } from './decide-add.ts';
import { decideReconnected, decideRestart } from './decide-attempt.ts';
import { decideCall, decideControl, decideSpawn, type ControlAction } from './decide-call.ts';
import { decideClosed, decideVerified } from './decide-close.ts';
import { decideContinue } from './decide-continue.ts';
import { decideGate, decidePause } from './decide-pause.ts';
import { decideRefined } from './decide-refined.ts';
import { decideRetry } from './decide-retry.ts';
import { decideSteer } from './decide-steer.ts';
import { runsOf } from './decide-stop.ts';
import { callKey, hasOpenSet } from './tree.ts';

/** A whole tree under random commands and workers' words; `pick` chooses among the runs that are there. */
class Model {
  readonly world: WatchedWorld;
  /** Runs that a person began in a set that was there. */
  readonly begun = new Set<string>();
  #calls = 0;
  #keys = 0;

  constructor(cap: number) {
    this.world = new WatchedWorld({ concurrency: cap, maxDepth: 3, fanOut: 12 });
  }

  any(pick: number, fits: (run: RunRow) => boolean = () => true): string | null {
    const runs = [...this.world.tree.runs.values()].filter(fits);
    return runs[pick % Math.max(1, runs.length)]?.run_id ?? null;
  }

  /** A run whose worker is connected. */
  worker(pick: number): string | null {
    return this.any(pick, ({ run_id }) => this.world.attempts.get(run_id)?.connected === true);
  }

  do(move: string, pick: number, n: number): void {
    const { world } = this;
    const worker = this.worker(pick);
    const any = this.any(pick);
    switch (move) {
      case 'dispatch':
        world.dispatch(
          Array.from({ length: (n % 3) + 1 }, (_, at) => ({
            id: `t${at}`,
            retry: n % 2,
            depends_on: at > 0 && n % 4 === 0 ? [`t${at - 1}`] : [],
            acceptance: n % 7 === 0 ? { verify: [{ command: 'true', timeout_seconds: 1 }] } : null,
          })),
          { fail_fast: n % 5 === 0 },
        );
        return;
      case 'lead':
        world.lead(n % 2 === 0);
        return;
      case 'grant':
        world.grant();
        return;
      case 'begin':
        return world.begin();
      case 'connect': {
        const run = this.any(pick, ({ run_id }) => world.attempts.get(run_id)?.connected === false);
        if (run) world.connect(run);
        return;
      }
      case 'pause':
        world.paused = n % 2 === 0;
        world.decide((step) => decidePause(step));
        return;
      case 'stop':
        if (any) this.#stop(any, n);
        return;
      case 'close':
        return this.#close(pick, n);
      case 'refine': {
        const lost = this.any(pick, ({ outcome }) => outcome === 'lost');
        const report = testReport(ENDS[n % ENDS.length]);
        if (lost)
          world.decide((step) => decideRefined(step, lost, { type: 'ended', last_seq: 1, report, session: null }));
        return;
      }
      case 'new core':
        return restartCore(world);
      case 'take up':
        return this.#takeUp();
      case 'steer':
        if (any) world.decide((step) => decideSteer(step, any, n % 2 === 0 ? 'steer' : 'follow_up', `text ${n}`));
        return;
      case 'answer': {
        const asks = [...world.tree.asks.keys()];
        const ask = asks[pick % Math.max(1, asks.length)];
        if (ask) world.decide((step) => decideAnswer(step, ask, { choice: 'once', note: null, by: 'me' }));
        return;
      }
      case 'restart': {
        const due = world.restarts.splice(0);
        for (const { run_id } of due) world.decide((step) => decideRestart(step, run_id));
        return;
      }
      case 'gate':
        if (any) this.#gate(any, n);
        return;
      case 'retry':
      case 'continue':
      case 'add':
        return this.#again(move, pick, n);
      default:
        if (worker) this.#worker(move, worker, n);
    }
  }

  /** Stops a run, its set, or all; nothing is left at work below, whatever was tried again there. */
  #stop(run: string, n: number): void {
    const { world } = this;
    const ids = [run, world.run(run).delegation_id ?? run, world.tree.conversation.conversation_id];
    const stopped = runsOf(world.tree, ids[n % ids.length] ?? run) ?? [];
    world.stop(...stopped);
    checkStopped(world, stopped);
  }

  /** Verify commands of a closing run have run, or it has closed. */
  #close(pick: number, n: number): void {
    const { world } = this;
    const run = this.any(pick, ({ run_id }) => world.tree.facts.get(run_id)?.closing != null);
    if (run === null) return;
    const status = n % 3 === 0 ? 'failed' : 'passed';
    if (n % 2 === 0) world.decide((step) => decideVerified(step, run, { status, commands: [] }, []));
    else world.decide((step) => decideClosed(step, run, null));
  }

  /** Calls that were stored are carried out now, whatever their runs have come to. */
  #takeUp(): void {
    for (const { run_id, call_id, answer, delegation_id } of [...this.world.tree.calls.values()]) {
      if (answer !== null || delegation_id !== null) continue;
      this.world.decide((step) => decideSpawn(step, run_id, call_id, testBatch(1), true));
    }
  }

  /** A run looks at, stops or steers what is below it, or what is not. */
  #control(run: string, n: number): void {
    const { world } = this;
    const run_id = this.any(n) ?? run;
    const controls: ControlAction[] = [
      { action: 'list' },
      { action: 'stop', run_id },
      { action: 'steer', run_id, message: 'm' },
    ];
    const control = controls[n % controls.length];
    const call_id = `c${(this.#calls += 1)}`;
    world.decide((step) => decideCall(step, run, { call_id, tool: 'delegate_task', arguments: {} }));
    world.decide((step) => {
      const call = step.tree.calls.get(callKey(run, call_id));
      if (call?.answer === null && control !== undefined) decideControl(step, call, control);
    });
  }

  /** Pause or resume of a run, of its set, or of the whole conversation. */
  #gate(run: string, n: number): void {
    const { world } = this;
    const ids = [run, world.run(run).delegation_id ?? run, world.tree.conversation.conversation_id];
    world.decide((step) => decideGate(step, ids[n % ids.length] ?? run, n % 2 === 0));
  }

  /** More work in sets that are there: refused or not, it must leave everything right. */
  #again(move: 'retry' | 'continue' | 'add', pick: number, n: number): void {
    const { world } = this;
    if (move === 'add') {
      const sets = [...world.tree.sets.keys()];
      const set = sets[pick % Math.max(1, sets.length)];
      const added = set === undefined ? null : world.decide((step) => decideAdd(step, set, testBatch((n % 2) + 1)));
      if (added?.ok) for (const run of added.value.run_ids) this.begun.add(run);
      return;
    }
    const ended = this.any(pick, ({ state }) => isEnded(state));
    const task = ended === null ? undefined : world.tree.facts.get(ended)?.task;
    if (ended === null || task === undefined) return;
    const again = world.decide((step) =>
      move === 'retry' ? decideRetry(step, ended, task) : decideContinue(step, ended, `go on ${n}`),
    );
    if (again.ok) this.begun.add(again.value.run_id);
  }

  #worker(move: string, run: string, n: number): void {
    const { world } = this;
    switch (move) {
      case 'delegate':
        world.delegate(run, `c${(this.#calls += 1)}`, (n % 2) + 1, n % 3 !== 0);
        return;
      case 'call':
        return world.decide((step) =>
          decideCall(step, run, { call_id: `c${(this.#calls += 1)}`, tool: 'delegate_task', arguments: {} }),
        );
      case 'control':
        return this.#control(run, n);
      case 'idle':
        return world.tell(run, { type: 'idle', seconds: n % 2 === 0 ? n : null });
      case 'running':
        return world.tell(run, { type: 'state', state: 'running', reason: null, until: null });
      case 'rate limit':
        return world.tell(run, { type: 'state', state: 'waiting', reason: 'rate_limit', until: n });
      case 'wait':
        return world.wait(run, world.run(run).lead ? 'user' : 'children');
      case 'ask':
        return world.tell(run, {
          type: 'ask',
          key: `k${(this.#keys += 1)}`,
          kind: 'permission',
          title: 't',
          tool: null,
          detail: '',
          diff: null,
        });
      case 'delivered': {
        const ids = [...world.tree.steers.keys(), ...world.tree.deliveries.keys()];
        const id = ids[n % Math.max(1, ids.length)];
        if (id) world.tell(run, { type: 'steer', steer_id: id, state: 'delivered' });
        return;
      }
      case 'answered':
        return world.tell(run, { type: 'answered', answer: 'ok', session: { v: 1 } });
      case 'reconnect':
        return world.decide((step) => decideReconnected(step, run, [`c${n % (this.#calls + 1)}`], []));
      case 'report':
        return world.report(run, ENDS[n % ENDS.length]);
      case 'exit':
        return world.exit(
          run,
          n % 4 === 0 ? { active: false } : { exit: n % 5 === 0 ? null : { code: 1, signal: null } },
        );
      default:
        throw new Error(`no move ${move}`);
    }
  }

  /** Lets everything come to its end. */
  finish(): void {
    const { world } = this;
    world.paused = false;
    world.decide((step) => decideGate(step, world.tree.conversation.conversation_id, false));
    this.#takeUp();
    world.stop(...world.tree.runs.keys());
    for (const run of [...world.attempts.keys()]) world.exit(run);
    for (const run of world.tree.runs.keys()) world.decide((step) => decideClosed(step, run, null));
    for (const { run_id } of world.restarts.splice(0)) world.decide((step) => decideRestart(step, run_id));
    world.grant();
  }
}

const ENDS: Partial<RunReport>[] = [
  {},
  { answer: '' },
  { limit: 'max_turns' },
  { error: { reason: 'network', message: 'reset' }, answer: '' },
];

const MOVES = [
  ...[
    'dispatch',
    'lead',
    'grant',
    'connect',
    'begin',
    'begin',
    'begin',
    'pause',
    'stop',
    'steer',
    'answer',
    'restart',
    'gate',
    'retry',
    'retry',
    'continue',
    'continue',
    'add',
    'close',
    'close',
    'refine',
    'new core',
    'take up',
  ],
  ...[
    'delegate',
    'delegate',
    'call',
    'control',
    'idle',
    'running',
    'rate limit',
    'wait',
    'ask',
    'delivered',
    'answered',
    'reconnect',
    'report',
    'report',
    'report',
    'exit',
    'exit',
  ],
];

test('T1, T7, R1, C3, D3, D5: in any order of commands, workers’ words and restarts of the core no move is illegal, every run ends once, totals add up, no place leaks, a stop leaves nothing, all that changes is written', () => {
  const move = fc.tuple(fc.constantFrom(...MOVES), fc.nat(30), fc.nat(30));
  fc.assert(
    fc.property(
      fc.array(move, { minLength: 5, maxLength: 60, size: 'max' }),
      fc.integer({ min: 1, max: 4 }),
      (moves, cap) => {
        const model = new Model(cap);
        model.do('dispatch', 0, 2);
        for (const [what, pick, n] of moves) {
          model.do(what, pick, n);
          checkCounts(model.world);
          checkPlaces(model.world);
          checkQueues(model.world);
          checkBelow(model.world, model.begun);
        }
        model.finish();
        checkCounts(model.world);
        checkTotals(model.world);
        checkHistory(model.world);
        checkNothingOpen(model.world);
      },
    ),
    { numRuns: 150, seed: 1 },
  );
}, 60_000);

interface Plan {
  readonly children: number;
  readonly wait: boolean;
}

/** Workers that do their work: each delegates once as planned, waits for what is open, takes its messages, and ends. */
class Workers {
  readonly world: WatchedWorld;
  readonly #plans: Plan[];
  readonly #begun = new Set<string>();

  constructor(plans: readonly Plan[], cap: number) {
    this.world = new Model(cap).world;
    this.#plans = [...plans];
  }

  /** Lets every running worker do one thing; false when none runs. */
  round(): boolean {
    this.world.begin();
    const running = [...this.world.tree.runs.values()].filter((run) => run.state === 'running');
    for (const run of running) this.#work(run);
    return running.length > 0;
  }

  #work({ run_id, depth }: RunRow): void {
    const { world } = this;
    const plan = this.#begun.has(run_id) ? undefined : this.#plans.shift();
    this.#begun.add(run_id);
    if (plan !== undefined && plan.children > 0 && depth < 3) {
      world.delegate(run_id, 'c1', plan.children, plan.wait);
      return;
    }
    for (const frame of world.framesTo(run_id)) {
      if (frame.type === 'message')
        world.tell(run_id, { type: 'steer', steer_id: frame.message_id, state: 'delivered' });
    }
    if (hasOpenSet(world.tree, run_id)) world.wait(run_id, 'children');
    else world.end(run_id);
  }
}

test('R1: left alone, a tree in which every worker does its work comes to its end: nothing waits for ever', () => {
  const plans = fc.array(fc.record({ children: fc.integer({ min: 0, max: 2 }), wait: fc.boolean() }), {
    maxLength: 12,
    size: 'max',
  });
  fc.assert(
    fc.property(plans, fc.integer({ min: 1, max: 3 }), (plan, cap) => {
      const workers = new Workers(plan, cap);
      const { world } = workers;
      world.dispatch(3);
      for (let round = 0; round < 200 && workers.round(); round += 1);
      const open = [...world.tree.runs.values()].filter((run) => !isEnded(run.state));
      expect(open.map((run) => world.state(run.run_id))).toEqual([]);
      checkNothingOpen(world);
    }),
    { numRuns: 200 },
  );
});
