import { delay } from '../../kit/clock.ts';
import type { ProcessRef } from '../../kit/process-tree/process-entry.ts';
import type { Bridge } from '../../mcp/bridge/open-bridge.ts';
import type { Assignment } from '../../protocol/frames.ts';
import { profileOf } from '../../protocol/profiles/agent-profiles.ts';
import type { AgentProfile } from '../../protocol/profiles/profile.ts';
import type { Progress, RunReport } from '../../protocol/report.ts';
import { fence, neutralise } from '../../workspace/fences/fence.ts';
import { agentEnvironment } from '../agent-environment.ts';
import { agentPrompt, repairPrompt } from '../agent-prompt.ts';
import { bareReport } from '../bare-report.ts';
import { oneLine } from '../agent-failure.ts';
import type { AgentProcess } from '../agent-process.ts';
import type { RunnerEnd, RunnerPort } from '../contract.ts';
import { cutBy } from '../cut-by.ts';
import { messageText } from '../message-text.ts';
import { openOffer, type Offer } from '../offer.ts';
import { endpointOf, unreachable } from '../preflight.ts';
import { programGraceMs } from '../stop-grace.ts';
import type { StructuredOutput } from '../structured-output.ts';
import { untilStopped } from '../until-stopped.ts';
import { lastSeen, openAgent, type Agent } from './agent.ts';
import type { Failure } from './agent-session.ts';
import { Client } from './client.ts';
import type { AcpConnection } from './connection.ts';
import { goOn, WIND_DOWN } from './own-words.ts';
import { readState, type AcpState } from './session-state.ts';
import { Talk, type TurnEnd } from './talk.ts';
import { AgentUsage } from './usage.ts';

type Limit = NonNullable<RunReport['limit']>;

/** A model server that has just been started is there a moment later. */
const LOOK_AGAIN_MS = 1000;

/** What is said to the agent next. */
interface Say {
  readonly text: string;
  /** Steering texts and messages that it holds, for their ledger (C2). */
  readonly ids: readonly string[];
  readonly kind: 'normal' | 'repair' | 'wind_down';
}

/** One attempt with an agent over the Agent Client Protocol, from the start of its program to the proved end of it. */
export class AcpRun {
  readonly #assignment: Assignment;
  readonly #port: RunnerPort;
  readonly #profile: AgentProfile;
  readonly #state: AcpState | null;
  readonly #client: Client;
  #offer: Offer | null = null;
  #process: AgentProcess | null = null;
  #connection: AcpConnection | null = null;
  #usage: AgentUsage;
  #talk: Talk | null = null;
  #sessionId: string | null = null;
  #requests: number;
  #error: Failure | null = null;
  #limit: Limit | null = null;
  #answer = '';
  #toolError = false;

  constructor(assignment: Assignment, port: RunnerPort) {
    this.#assignment = assignment;
    this.#port = port;
    const profile = profileOf(assignment.agent);
    if (profile === null) throw new Error(`There is no profile for the agent ${assignment.agent.id}`);
    this.#profile = profile;
    this.#state = readState(assignment.session);
    this.#requests = this.#state?.requests ?? 0;
    this.#usage = new AgentUsage(profile.usage, this.#state === null);
    this.#client = new Client(assignment, port, {
      usage: (update) => this.#heardUsage(update),
      overLimit: (limit) => this.#overLimit(limit),
      told: () => this.#tellProgress(),
    });
  }

  /** Runs to the end. Never rejects: what goes wrong is in the report. */
  async run(): Promise<RunnerEnd> {
    const port = this.#port;
    let ending: Promise<readonly ProcessRef[]> | null = null;
    const onStop = (): void => void (ending ??= this.#end());
    port.stop.addEventListener('abort', onStop, { once: true });
    try {
      await this.#work();
    } catch (cause) {
      if (!port.stop.aborted) {
        const words = oneLine(cause instanceof Error ? cause.message : String(cause));
        this.#error ??= { reason: 'internal', message: words };
      }
    }
    port.stop.removeEventListener('abort', onStop);
    const background = await (ending ?? this.#end());
    if (port.stop.aborted) this.#takeAnswer();
    this.#client.log.endTurn(true);
    return { report: this.#report(background), session: this.#session() };
  }

  get #isSameRun(): boolean {
    return this.#state?.run_id === this.#assignment.run_id;
  }

  get #output(): StructuredOutput | null {
    return this.#offer?.output ?? null;
  }

  /** Delegations in the background whose completion has not come yet. */
  get #openDelegations(): readonly string[] {
    return [...(this.#offer?.openDelegations ?? (this.#isSameRun ? (this.#state?.open_delegations ?? []) : []))];
  }

  async #work(): Promise<void> {
    const assignment = this.#assignment;
    const [agent] = await Promise.all([this.#start(), this.#preflight()]);
    if (agent === null || this.#error !== null) return;
    const continues = this.#state !== null && !this.#isSameRun;
    // A lead that is restored has answered: it goes on with its next message, not with its goal (T1).
    const waits = this.#state !== null && (this.#isSameRun || assignment.lead);
    let say: Say | null = waits ? await this.#nextMessage() : this.#first(continues);
    while (say !== null) say = await this.#turn(say);
  }

  async #start(): Promise<Agent | null> {
    const assignment = this.#assignment;
    this.#port.activity(`Starting ${this.#profile.name}`);
    this.#offer = await openOffer(assignment, this.#port, this.#profile, {
      open: this.#openDelegations,
      told: (tool, { display }) => this.#client.log.calls.bridged(tool, display),
    });
    const opened = await openAgent({
      assignment,
      profile: this.#profile,
      bridge: this.#offer.bridge,
      version: '1',
      resume: this.#state?.session_id ?? null,
      port: this.#port,
      side: this.#client,
      onProcess: (process, connection) => {
        this.#process = process;
        this.#connection = connection;
      },
    });
    if (!opened.ok) {
      this.#error ??= opened.error;
      return null;
    }
    return this.#began(opened.value);
  }

  #began(agent: Agent): Agent | null {
    const { sessionId, resumed, notes } = agent.session;
    this.#port.ready();
    if (this.#state !== null && !resumed) {
      if (!this.#assignment.lead) {
        const message = `${this.#profile.name} cannot go on with its earlier session. Retry the task instead.`;
        this.#error = { reason: 'bad_request', message };
        return null;
      }
      const text =
        'The agent could not load its earlier session; it begins anew and knows nothing of what was said before.';
      this.#port.transcript.add({ type: 'notice', level: 'warning' }, text);
      this.#usage = new AgentUsage(this.#profile.usage, true);
    }
    for (const note of notes) this.#port.transcript.add({ type: 'notice', level: 'warning' }, note);
    this.#sessionId = sessionId;
    this.#client.open(sessionId);
    this.#talk = new Talk({
      agent,
      profile: this.#profile,
      port: this.#port,
      client: this.#client,
      usage: () => this.#usage,
    });
    this.#port.state('running');
    return agent;
  }

  /** A model that cannot be reached is told at once; many agents retry for ever without a word. */
  async #preflight(): Promise<void> {
    const environment = agentEnvironment(this.#assignment, this.#profile);
    const endpoint = await endpointOf(this.#profile.endpoint, environment);
    this.#client.endpoint = endpoint;
    if (endpoint === null) return;
    let why = await unreachable(endpoint, this.#port.stop);
    if (why !== null) await delay(this.#port.clock, LOOK_AGAIN_MS);
    if (why !== null) why = await unreachable(endpoint, this.#port.stop);
    if (why === null || this.#port.stop.aborted) return;
    this.#error ??= {
      reason: 'network',
      message: `The model endpoint of ${this.#profile.name} cannot be reached: ${why}.`,
    };
    this.#connection?.close(new Error(this.#error.message));
  }

  #first(continues: boolean): Say {
    const { goal } = this.#assignment;
    const origin = continues ? 'message' : 'goal';
    this.#port.transcript.add({ type: 'user', origin, steer_id: null }, goal);
    return { text: continues ? neutralise(goal) : agentPrompt(this.#assignment), ids: [], kind: 'normal' };
  }

  /** One message to the agent and its turn; the next message, or null when the run is over. */
  async #turn(say: Say): Promise<Say | null> {
    const port = this.#port;
    await untilStopped(port.stop, port.whileNotPaused());
    const talk = this.#talk;
    if (talk === null) return null;
    this.#requests += 1;
    const steers = this.#pending(say);
    const end = await untilStopped(port.stop, talk.turn({ ...steers, isLast: say.kind === 'wind_down' }));
    this.#takeAnswer();
    this.#tellProgress();
    return this.#after(end, { ...say, text: steers.text }, talk);
  }

  /** What goes into the next message beside its own text: steering texts and news that have come meanwhile. */
  #pending(say: Say): { readonly text: string; readonly ids: readonly string[] } {
    const port = this.#port;
    const texts = [say.text];
    const ids = [...say.ids];
    for (const notice of port.takeNotices()) {
      port.transcript.add({ type: 'user', origin: 'notice', steer_id: null }, notice);
      texts.push(fence('message', notice));
    }
    const steers = [...(this.#talk?.takeWaiting() ?? []), ...port.takeSteers('steer')];
    for (const { steer_id, mode, text } of steers) {
      port.transcript.add({ type: 'user', origin: mode, steer_id }, text);
      texts.push(neutralise(text));
      ids.push(steer_id);
    }
    return { text: texts.join('\n\n'), ids };
  }

  async #after(end: TurnEnd, say: Say, talk: Talk): Promise<Say | null> {
    if (end.type === 'failed') {
      this.#error ??= end.failure;
      return null;
    }
    if (end.type === 'interrupted') return { text: goOn(say.text), ids: [], kind: 'normal' };
    if (say.kind === 'wind_down') return this.#woundDown();
    const limit = end.limit ?? this.#client.limit;
    if (limit !== null) return this.#atLimit(limit);
    const repair = this.#repair(say);
    if (repair !== null) return repair;
    if (talk.hasWaiting || this.#hasNews()) return { text: '', ids: [], kind: 'normal' };
    return this.#idle();
  }

  /** At a limit of turns or calls one more message is asked for, without tools; money and tokens are spent (R4, R5). */
  #atLimit(limit: Limit): Say | null {
    this.#limit = limit;
    if (limit === 'budget' || limit === 'max_tokens') return null;
    this.#port.transcript.add({ type: 'user', origin: 'notice', steer_id: null }, WIND_DOWN);
    return { text: WIND_DOWN, ids: [], kind: 'wind_down' };
  }

  async #woundDown(): Promise<Say | null> {
    this.#output?.takeText(this.#answer);
    if (!this.#assignment.lead || this.#limit !== 'max_turns') return null;
    return this.#idle();
  }

  #repair(say: Say): Say | null {
    const output = this.#output;
    if (output === null || output.isValid || output.takeText(this.#answer) || say.kind === 'repair') return null;
    const text = repairPrompt(output.report.errors);
    output.repair();
    this.#port.transcript.add({ type: 'user', origin: 'repair', steer_id: null }, text);
    return { text, ids: [], kind: 'repair' };
  }

  #hasNews(): boolean {
    const talk = this.#talk;
    for (const mode of ['steer', 'follow_up'] as const) talk?.hold(this.#port.takeSteers(mode));
    return talk?.hasWaiting ?? false;
  }

  /** Nothing is left to do: a lead waits for its user, a run with delegations in the background for them. */
  async #idle(): Promise<Say | null> {
    if (this.#assignment.lead) this.#port.answered(this.#answer, this.#session(), this.#report([]));
    else if (this.#openDelegations.length === 0) return null;
    return this.#nextMessage();
  }

  async #nextMessage(): Promise<Say | null> {
    const message = await untilStopped(this.#port.stop, this.#port.nextMessage());
    if (message === null) return null;
    if (message.delegation_id !== null) this.#offer?.openDelegations.delete(message.delegation_id);
    const { message_id, origin, text } = message;
    const steerId = origin === 'message' ? message_id : null;
    this.#port.transcript.add({ type: 'user', origin, steer_id: steerId }, text);
    this.#limit = null;
    this.#client.beginMessage();
    return { text: messageText(message), ids: [message_id], kind: 'normal' };
  }

  #takeAnswer(): void {
    const { log } = this.#client;
    if (log.answer.trim() !== '' || this.#answer === '') this.#answer = log.answer;
    this.#toolError = log.endedOnToolError;
  }

  #heardUsage(update: Readonly<Record<string, unknown>>): void {
    this.#usage.update(update);
    this.#tellProgress();
    const max = this.#client.maxCost;
    if (max !== null && (this.#usage.cost.cost_usd ?? 0) >= max) this.#overLimit('budget');
  }

  #overLimit(limit: Limit): void {
    this.#talk?.cut(limit);
  }

  /** Everything that runs below is ended, proved, and named (C4). */
  async #end(): Promise<readonly ProcessRef[]> {
    const graceMs = programGraceMs(this.#assignment.limits.stop_grace_seconds);
    const talk = this.#talk;
    const polite = async (): Promise<void> => {
      if (this.#port.stop.aborted) await talk?.cancel();
    };
    this.#client.permissions.close('The run is over.');
    const [left, terminals] = await Promise.all([
      this.#process?.end({ graceMs, polite }) ?? [],
      this.#client.terminals.endAll(),
    ]);
    this.#connection?.close(new Error('The run is over.'));
    await this.#offer?.close();
    // Servers that the agent started for us, and helpers of its own, are no background work of the task.
    return this.#port.stop.aborted
      ? []
      : [...left.filter(({ command }) => !isOfAgent(command, this.#offer?.bridge ?? null)), ...terminals];
  }

  #progress(): Progress {
    return {
      turns: this.#client.turns,
      tool_calls: this.#client.log.calls.count,
      tokens: this.#usage.tokens,
      ...this.#usage.cost,
      active_seconds: this.#port.activeSeconds(),
    };
  }

  #tellProgress(): void {
    this.#port.progress(this.#progress());
  }

  #session(): AcpState | null {
    if (this.#sessionId === null) return this.#state;
    return {
      v: 1,
      runner: 'acp',
      run_id: this.#assignment.run_id,
      session_id: this.#sessionId,
      requests: this.#requests,
      open_delegations: [...this.#openDelegations],
    };
  }

  #report(background: readonly ProcessRef[]): RunReport {
    const output = this.#output;
    const { calls } = this.#client.log;
    return {
      ...bareReport(this.#port, this.#progress()),
      answer: this.#answer,
      ...(output?.isValid === true ? { output: output.value } : {}),
      schema: output?.report ?? null,
      // Whoever reads that it stalled is told what was last seen of it.
      error: this.#error ?? (cutBy(this.#port) === 'stalled' ? lastSeen(this.#process) : null),
      limit: this.#limit,
      ended_on_tool_error: this.#toolError,
      files_read: calls.filesRead,
      files_written: calls.filesWritten,
      background: background.map(({ pid, command }) => ({ pid, command })),
    };
  }
}

function isOfAgent(command: string, bridge: Bridge | null): boolean {
  const [program] = bridge?.server.args ?? [];
  return program !== undefined && command.includes(program);
}
