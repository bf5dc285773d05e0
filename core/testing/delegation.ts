import { makeId } from '../protocol/ids.ts';
import { Admission } from '../delegation/admission.ts';
import { decideConnected, decideExited, decidePlace, type ExitFacts } from '../delegation/decide-attempt.ts';
import { addAmounts, type DayFigures } from '../delegation/budget.ts';
import { sumUsage } from '../delegation/day-usage.ts';
import { waitsForBudget } from '../delegation/decide-budget.ts';
import { decideCall, decideSpawn } from '../delegation/decide-call.ts';
import { decideDispatch, newRun } from '../delegation/decide-dispatch.ts';
import { decideStop } from '../delegation/decide-stop.ts';
import { decideWorkerEvent, type DecidedWorkerEvent } from '../delegation/decide-worker-event.ts';
import type { Effect } from '../delegation/effects.ts';
import { heldIn } from '../delegation/holds.ts';
import { Step, type DecisionContext } from '../delegation/step.ts';
import { emptyTree, type ConversationTree } from '../delegation/tree.ts';
import type { AgentDefinition } from '../protocol/agents.ts';
import type { Batch, Task } from '../protocol/batch.ts';
import type { DispatchAnswer } from '../protocol/api/dispatch.ts';
import type { DomainEvent } from '../protocol/events.ts';
import type { CoreFrame } from '../protocol/frames.ts';
import { NOTHING_ELSE } from '../protocol/bare-report.ts';
import type { RunReport } from '../protocol/report.ts';
import type { ConversationRow, RunRow } from '../protocol/rows.ts';
import { Limits } from '../protocol/settings.ts';
import type { Price } from '../protocol/usage.ts';
import { NO_TOKENS } from '../protocol/token-sums.ts';

const TOOL_NAMES = ['read', 'write', 'bash', 'delegate_task', 'report_result'];
const NOTHING_USED = { cost_usd: 0, unknown: false, tokens: 0 };

/** A conversation in which nothing has happened yet. */
export function testConversation(id = 'conv_000000000001'): ConversationRow {
  return {
    conversation_id: id,
    project_id: 'proj_000000000001',
    title: 'Test',
    created_at: 0,
    updated_at: 0,
    lead_run_id: null,
    scripted: false,
    archived: false,
    paused: false,
    held: 0,
    sets: 0,
    runs: 0,
    ended: 0,
    working: 0,
    needs_you: 0,
    unseen_failures: 0,
    failed: 0,
    stopped: 0,
    caveats: 0,
    tokens: 0,
    cost_usd: 0,
  };
}

/** A validated task. */
export function testTask(change: Partial<Task> = {}): Task {
  return {
    id: null,
    goal: 'Find out how it works',
    label: null,
    context: null,
    agent: 'general',
    model: null,
    effort: null,
    output_schema: null,
    acceptance: null,
    images: [],
    files: [],
    tools: null,
    isolation: 'none',
    base_ref: null,
    permission: 'edit',
    limits: {},
    depends_on: [],
    depends_on_any_outcome: false,
    retry: 0,
    fallback_models: [],
    best_effort: false,
    ...change,
  };
}

/** A validated batch of tasks, or of so many equal ones. */
export function testBatch(tasks: number | readonly Partial<Task>[], change: Partial<Batch> = {}): Batch {
  const list = typeof tasks === 'number' ? Array.from({ length: tasks }, () => ({})) : tasks;
  return {
    title: null,
    max_concurrent: null,
    fail_fast: false,
    tree_limits: {},
    wait: null,
    client_token: null,
    tasks: list.map((task) => testTask(task)),
    ...change,
  };
}

/** The report of a run that ended cleanly with an answer. */
export function testReport(change: Partial<RunReport> = {}): RunReport {
  return {
    progress: {
      turns: 1,
      tool_calls: 0,
      tokens: { ...NO_TOKENS, input: 10, output: 5 },
      cost_usd: 0.01,
      cost_status: 'estimated',
      active_seconds: 2,
    },
    answer: 'Done.',
    ...NOTHING_ELSE,
    ...change,
  };
}

/** One conversation, driven by decisions alone: effects are carried out at once, as the core does after each commit. */
export class DelegationWorld {
  tree: ConversationTree = emptyTree(testConversation());
  readonly limits: Limits;
  admission: Admission;
  /** Everything that happened, in order. */
  readonly events: DomainEvent[] = [];
  /** Frames that were sent to runs, in order. */
  readonly sent: { readonly run_id: string; readonly frame: CoreFrame }[] = [];
  /** Attempts whose start was ordered and whose end was not told, by run. */
  readonly attempts = new Map<string, { readonly attempt_id: string; connected: boolean }>();
  readonly stopped: string[] = [];
  readonly prices = new Map<string, Price>();
  /** Summaries that were written, by path. */
  readonly written = new Map<string, string>();
  readonly restarts: { readonly run_id: string; readonly delay_ms: number }[] = [];
  readonly takenUp: { readonly run_id: string; readonly call_id: string }[] = [];
  /** Runs that were to be closed, in order. */
  readonly closing: string[] = [];
  /** Runs in the order in which their attempts were started. */
  readonly started: string[] = [];
  readonly agents = new Map<string, AgentDefinition>([
    ['general', { id: 'general', runner: 'builtin', source: 'builtin', description: '' }],
    ['command', { id: 'command', runner: 'command', source: 'builtin', description: '' }],
  ]);
  paused = false;
  day = '2026-07-31';
  /** What other conversations have used today, and hold. */
  elsewhere: DayFigures = { spent: { cost_usd: 0, unknown: false, tokens: 0 }, held: { cost_usd: 0, tokens: 0 } };
  now = 1_000;
  #ids = 0;

  constructor(limits: Partial<Limits> = {}) {
    this.limits = { ...Limits.parse({}), ...limits };
    this.admission = new Admission(() => this.limits.concurrency);
  }

  /** Decides, carries out the effects, and answers with what was decided. */
  decide<T>(decide: (step: Step) => T): T {
    const step = this.#step();
    const answer = decide(step);
    this.events.push(...step.events);
    for (const effect of step.effects) this.#perform(effect);
    return answer;
  }

  /** What a decision would do, without its effects. */
  effectsOf(decide: (step: Step) => unknown): readonly Effect[] {
    return this.stepOf(decide).effects;
  }

  /** The step of a decision, whose effects are not carried out. */
  stepOf(decide: (step: Step) => unknown): Step {
    const step = this.#step();
    decide(step);
    this.events.push(...step.events);
    return step;
  }

  #view(): Pick<DecisionContext, 'limits' | 'today'> {
    const { spent, held } = this.elsewhere;
    return {
      limits: this.limits,
      today: () => ({
        spent: sumUsage([spent, this.tree.usage.get(this.day) ?? NOTHING_USED]),
        held: addAmounts(held, heldIn(this.tree)),
      }),
    };
  }

  #isHeld(runId: string): boolean {
    const run = this.run(runId);
    if (run.reason === 'paused') return true;
    return run.reason === 'budget' && waitsForBudget({ tree: this.tree, context: this.#view() }, run);
  }

  #step(): Step {
    this.now += 1;
    return new Step(this.tree, {
      now: this.now,
      newId: (prefix) => makeId(prefix, (length) => (++this.#ids).toString(16).padStart(length, '0')),
      agents: this.agents,
      ...this.#view(),
      toolNames: TOOL_NAMES,
      priceOf: (model) => this.prices.get(model) ?? null,
      summaryPath: (_projectId, runId) => `/summaries/${runId}.md`,
      paused: this.paused,
      day: this.day,
      entryCount: () => 7,
    });
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case 'ask_place': {
        const run = this.run(effect.run_id);
        const cap = run.delegation_id === null ? 1 : (this.tree.sets.get(run.delegation_id)?.max_concurrent ?? 1);
        this.admission.ask({
          run_id: run.run_id,
          group: run.delegation_id ?? run.run_id,
          groupCap: cap,
          head: effect.head,
        });
        return;
      }
      case 'give_place':
        if (effect.unproved === undefined) this.admission.give(effect.run_id);
        return;
      case 'return_place':
        this.admission.putBack(effect.run_id);
        return;
      case 'start_attempt':
        this.started.push(effect.run_id);
        this.attempts.set(effect.run_id, { attempt_id: effect.attempt_id, connected: false });
        return;
      case 'send':
        this.sent.push({ run_id: effect.run_id, frame: effect.frame });
        return;
      case 'stop_attempt':
        this.stopped.push(effect.run_id);
        return;
      case 'restart_run':
        this.restarts.push(effect);
        return;
      case 'close_run':
        this.closing.push(effect.run_id);
        return;
      case 'take_up_call':
        this.takenUp.push(effect);
        return;
      case 'write_summary':
        this.written.set(effect.path, effect.text);
        return;
      case 'release_attempt':
      case 'welcome_attempt':
      case 'settle_ask':
      case 'finish_change':
        return;
    }
  }

  /** The run's row; throws when it is unknown. */
  run(runId: string): RunRow {
    const run = this.tree.runs.get(runId);
    if (run === undefined) throw new Error(`no run ${runId}`);
    return run;
  }

  /** `running`, or `waiting: children`. */
  state(runId: string): string {
    const { state, reason } = this.run(runId);
    return reason === null ? state : `${state}: ${reason}`;
  }

  /** A set of the user. */
  dispatch(tasks: number | readonly Partial<Task>[], change: Partial<Batch> = {}): DispatchAnswer {
    return this.decide((step) => decideDispatch(step, 'proj_000000000001', testBatch(tasks, change), { type: 'user' }));
  }

  /** A lead with its goal as first message. */
  lead(once = false): string {
    return this.decide((step) => {
      const task = testTask();
      const run = newRun(step, 'proj_000000000001', task, { set: null, index: null, parent: null, retryOf: null });
      step.queue(run, task, once);
      step.effect({ type: 'ask_place', run_id: run.run_id, head: false });
      return run.run_id;
    });
  }

  /** Hands out free places, until nobody can have one; returns who got one, in order. */
  grant(): string[] {
    const all: string[] = [];
    for (;;) {
      const granted = this.admission.grant((runId) => this.#isHeld(runId));
      if (granted.length === 0) break;
      for (const runId of granted) this.place(runId);
      all.push(...granted);
    }
    return all;
  }

  /** The run hears of the place that it was given. */
  place(runId: string): void {
    this.decide((step) => decidePlace(step, runId));
  }

  /** The worker of the run's attempt connects. */
  connect(runId: string): void {
    const attempt = this.#attempt(runId);
    attempt.connected = true;
    this.decide((step) => decideConnected(step, runId, attempt.attempt_id, 4711));
  }

  /** Hands out places and lets every worker connect. */
  begin(): void {
    this.grant();
    for (const [runId, { connected }] of [...this.attempts]) if (!connected) this.connect(runId);
  }

  tell(runId: string, event: DecidedWorkerEvent): void {
    this.decide((step) => decideWorkerEvent(step, runId, event));
  }

  wait(runId: string, reason: 'children' | 'user'): void {
    this.tell(runId, { type: 'state', state: 'waiting', reason, until: null });
  }

  /** The worker tells its last word. */
  report(runId: string, change: Partial<RunReport> = {}): void {
    this.tell(runId, { type: 'ended', last_seq: 1, report: testReport(change), session: null });
  }

  /** The process of the run's attempt is gone. */
  exit(runId: string, change: Partial<ExitFacts> = {}): void {
    const { attempt_id, connected } = this.#attempt(runId);
    this.attempts.delete(runId);
    const facts: ExitFacts = {
      attempt_id,
      connected,
      active: connected,
      exit: { code: 0, signal: null },
      proof: { method: 'observed', how: 'test' },
      survivors: [],
      stderr_tail: '',
      ...change,
    };
    this.decide((step) => decideExited(step, runId, facts));
  }

  /** The run ends by itself. */
  end(runId: string, change: Partial<RunReport> = {}): void {
    this.report(runId, change);
    this.exit(runId);
  }

  fail(runId: string): void {
    this.end(runId, { answer: '', error: { reason: 'server_error', message: 'It broke' } });
  }

  stop(...runIds: string[]): string[] {
    return this.decide((step) => decideStop(step, runIds));
  }

  /** A delegation by a run; with `wait` the run then waits for its children. Returns the set's id, or null when it was refused. */
  delegate(runId: string, callId: string, tasks: number | readonly Partial<Task>[], wait = true): string | null {
    this.decide((step) => decideCall(step, runId, { call_id: callId, tool: 'delegate_task', arguments: {} }));
    this.decide((step) => decideSpawn(step, runId, callId, testBatch(tasks), wait));
    const setId = this.tree.calls.get(`${runId}/${callId}`)?.delegation_id ?? null;
    if (wait && setId !== null) this.wait(runId, 'children');
    return setId;
  }

  /** Latest runs of a set, by task index. */
  runsOf(setId: string): string[] {
    return [...(this.tree.slots.get(setId) ?? [])];
  }

  framesTo(runId: string): CoreFrame[] {
    return this.sent.filter((sent) => sent.run_id === runId).map(({ frame }) => frame);
  }

  eventsOf<T extends DomainEvent['type']>(type: T): Extract<DomainEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<DomainEvent, { type: T }> => event.type === type);
  }

  #attempt(runId: string): { readonly attempt_id: string; connected: boolean } {
    const attempt = this.attempts.get(runId);
    if (attempt === undefined) throw new Error(`no attempt of ${runId}`);
    return attempt;
  }
}
