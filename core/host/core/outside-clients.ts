import { decideAsk } from '../../delegation/decide-ask.ts';
import { decideOutsideCall, decideOutsideGone, decideOutsideOpen } from '../../delegation/decide-outside.ts';
import {
  asksOf as asksOfRun,
  callKey,
  hasOpenSet,
  type AskRecord,
  type ConversationTree,
} from '../../delegation/tree.ts';
import type { CancelTimer } from '../../kit/clock.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { startsCommand, waitsForChildren } from '../../mcp/delegate-call.ts';
import { DELEGATE } from '../../protocol/delegate-tool.ts';
import type { ApiError } from '../../protocol/errors.ts';
import type { CoreFrame } from '../../protocol/frames.ts';
import { isEnded } from '../../protocol/lifecycle.ts';
import { isOutside, type RunRow } from '../../protocol/rows.ts';
import type { AgentDefinition } from '../../protocol/agents.ts';
import type { Settings } from '../../protocol/settings.ts';
import type { ProjectEngine } from '../engine/project-engine.ts';
import { commandAgents } from './assignments.ts';
import type { CoreOptions } from './core-options.ts';
import { locate } from './locate.ts';
import { newConversation } from './new-conversation.ts';
import type { Projects } from './projects.ts';

/** A client whose connection was cut may come back so long: a core that restarts, a laptop that slept. */
const GRACE_MS = 30_000;
const COMMAND = `${DELEGATE} command`;

type Answer = Extract<CoreFrame, { type: 'answer' }>;
interface CallText {
  readonly is_error: boolean;
  readonly text: string;
}

/** What leads outside need of the core. */
export interface OutsideDeps {
  readonly options: Pick<CoreOptions, 'clock' | 'random'>;
  projects(): Projects;
  settings(): Settings;
  agents(projectId: string): ReadonlyMap<string, AgentDefinition>;
  /** Resolves after the next commit of any project. */
  nextCommit(): Promise<void>;
}

/** A lead outside that has not ended. */
interface Client {
  readonly engine: ProjectEngine;
  readonly conversation_id: string;
  readonly run_id: string;
  readonly calls: Map<string, (answer: CallText) => void>;
  readonly asks: Map<string, (answer: Answer | null) => void>;
  /** Connections that attend to it now. */
  attending: number;
  cancelGone: CancelTimer;
  /** A person allowed it to run programs. */
  mayRun: boolean;
  /** Resolves with the words of its row when it has ended. */
  readonly ended: Promise<string>;
}

/** Leads at work outside (see `decide-outside.ts`): who of them is there, and what they wait for. */
export class OutsideClients {
  readonly #deps: OutsideDeps;
  readonly #clients = new Map<string, Client>();

  constructor(deps: OutsideDeps) {
    this.#deps = deps;
  }

  /** Begins the conversation of a connection, named after client and folder. */
  async open(input: { project_id: string; client: string; client_token: string }) {
    const { options, settings } = this.#deps;
    const projects = this.#deps.projects();
    const { project_id } = input;
    const engine = await projects.engine(project_id);
    if (!engine.ok) return engine;
    const marked = await projects.markLive(project_id);
    if (!marked.ok) return marked;
    const client = nameOf(input.client);
    const folder = projects.get(project_id)?.name ?? 'a folder';
    const { permission } = settings();
    const create = newConversation(options, project_id, `${client} in ${folder}`);
    const { conversation_id } = create;
    const goal = `What ${client} delegates from ${folder}`;
    const opened = await engine.value.command(
      conversation_id,
      (step) => ok({ conversation_id, run_id: decideOutsideOpen(step, project_id, { client, goal, permission }) }),
      { token: input.client_token, create },
    );
    if (opened.ok) this.#take(engine.value, opened.value.conversation_id, opened.value.run_id);
    return opened;
  }

  /** A lead that an earlier core left: its client may come back. */
  adopt(engine: ProjectEngine, run: RunRow): void {
    const client = this.#take(engine, run.conversation_id, run.run_id);
    if (client.attending === 0) this.#awaitReturn(client);
  }

  /** Answers with the words of the run's row when it has ended. Until then the client is there, unless `signal` says that it no longer is. */
  async attend(runId: string, signal: AbortSignal | undefined): Promise<Result<{ words: string }, ApiError>> {
    const client = await this.#find(runId);
    if (!client.ok) return client;
    const { value } = client;
    value.attending += 1;
    value.cancelGone();
    const left = new Promise<null>((resolve) => signal?.addEventListener('abort', () => resolve(null), { once: true }));
    const words = signal?.aborted === true ? null : await Promise.race([value.ended, left]);
    value.attending -= 1;
    if (words !== null) return ok({ words });
    if (value.attending === 0) this.#awaitReturn(value);
    return err({ code: 'not_allowed', message: 'The client no longer waits.' });
  }

  /** Carries out a call of the delegate tool. */
  async call(runId: string, callId: string, args: unknown): Promise<Result<CallText, ApiError>> {
    const found = await this.#find(runId);
    if (!found.ok) return found;
    const client = found.value;
    const written = (typeof args === 'object' && args !== null ? args : {}) as Readonly<Record<string, unknown>>;
    const denied = await this.#denial(client, callId, written);
    if (denied !== null) return ok({ is_error: true, text: denied });
    const answered = new Promise<CallText>((resolve) => client.calls.set(callId, resolve));
    const waits = waitsForChildren(written, true);
    await client.engine.fact(client.conversation_id, (step) =>
      decideOutsideCall(step, runId, { call_id: callId, tool: DELEGATE, arguments: args ?? null, waits }),
    );
    const ended = client.ended.then((words) => ({ is_error: true, text: endedWords(words) }));
    return ok(await Promise.race([answered, ended]));
  }

  /** Asks a person; null when nobody answers. */
  async ask(runId: string, key: string, title: string, detail: string): Promise<Result<string | null, ApiError>> {
    const found = await this.#find(runId);
    if (!found.ok) return found;
    const answer = await this.#asked(found.value, { key, kind: 'question', title, tool: null, detail, diff: null });
    return ok(answer?.choice === 'text' ? answer.note : null);
  }

  /** It goes by itself. */
  async leave(runId: string): Promise<Result<{ done: true }, ApiError>> {
    const client = await this.#find(runId);
    if (client.ok) void this.#gone(client.value);
    return ok({ done: true });
  }

  /** Hands over what the core says to a lead outside; false for a run that is none. */
  send(runId: string, frame: CoreFrame): boolean {
    const client = this.#clients.get(runId);
    if (client === undefined) return false;
    if (frame.type === 'call_result') take(client.calls, frame.call_id, frame);
    if (frame.type === 'answer') take(client.asks, frame.key, frame);
    return true;
  }

  /** No client is waited for any more; the next core takes them up. */
  close(): void {
    for (const { cancelGone } of this.#clients.values()) cancelGone();
    this.#clients.clear();
  }

  #take(engine: ProjectEngine, conversation_id: string, run_id: string): Client {
    const known = this.#clients.get(run_id);
    if (known !== undefined) return known;
    const client: Client = {
      engine,
      conversation_id,
      run_id,
      calls: new Map(),
      asks: new Map(),
      attending: 0,
      cancelGone: () => undefined,
      mayRun: false,
      ended: this.#ended(engine, conversation_id, run_id),
    };
    this.#clients.set(run_id, client);
    void client.ended.then(() => this.#settle(client));
    return client;
  }

  async #find(runId: string): Promise<Result<Client, ApiError>> {
    const known = this.#clients.get(runId);
    if (known !== undefined) return ok(known);
    const place = await locate(this.#deps.projects(), runId);
    if (!place.ok) return place;
    const { engine, conversation_id } = place.value;
    const run = engine.tree(conversation_id)?.runs.get(runId);
    if (run === undefined || !isOutside(run))
      return err({ code: 'not_found', message: `There is no client outside ${runId}.` });
    if (isEnded(run.state)) return err({ code: 'already_ended', message: endedWords(run.words) });
    return ok(this.#take(engine, conversation_id, runId));
  }

  async #ended(engine: ProjectEngine, conversationId: string, runId: string): Promise<string> {
    for (;;) {
      const run = engine.tree(conversationId)?.runs.get(runId);
      if (run === undefined || isEnded(run.state)) return run?.words ?? 'Removed';
      await this.#deps.nextCommit();
    }
  }

  #settle(client: Client): void {
    client.cancelGone();
    this.#clients.delete(client.run_id);
  }

  #awaitReturn(client: Client): void {
    client.cancelGone();
    client.cancelGone = this.#deps.options.clock.after(GRACE_MS, () => void this.#gone(client));
  }

  /** It ends when nothing is open below it. */
  async #gone(client: Client): Promise<void> {
    const { engine, conversation_id, run_id } = client;
    for (;;) {
      await engine.fact(conversation_id, (step) => decideOutsideGone(step, run_id));
      const tree = engine.tree(conversation_id);
      if (tree === null || !hasOpenSet(tree, run_id)) return;
      while (hasOpenSet(engine.tree(conversation_id) ?? tree, run_id)) await this.#deps.nextCommit();
    }
  }

  /** Why the call may not be made, or null. A program that a model chooses asks like `bash` (A1). */
  async #denial(client: Client, callId: string, args: Readonly<Record<string, unknown>>): Promise<string | null> {
    if (!this.#needsConsent(client, callId, args)) return null;
    const answer = await this.#asked(client, {
      key: `${callId}:command`,
      kind: 'permission',
      title: 'Delegate to the agent command',
      tool: COMMAND,
      detail: JSON.stringify(args, null, 2),
      diff: null,
    });
    if (answer?.choice === 'allow') {
      client.mayRun = answer.remember;
      return null;
    }
    const why = answer?.note == null ? '' : `: ${answer.note}`;
    return `Not started: permission was denied${why}. Go another way, or say what could not be done.`;
  }

  #needsConsent({ engine, conversation_id, run_id, mayRun }: Client, callId: string, args: object): boolean {
    const tree = engine.tree(conversation_id);
    const permission = tree?.runs.get(run_id)?.permission;
    if (mayRun || (permission !== 'ask' && permission !== 'edit')) return false;
    // A call that is stored was allowed before.
    if (tree?.calls.has(callKey(run_id, callId)) === true) return false;
    const agents = this.#deps.agents(engine.projectId);
    return startsCommand({ ...args }, commandAgents(agents, this.#deps.settings()));
  }

  async #asked(client: Client, ask: Omit<Parameters<typeof decideAsk>[2], 'type'>): Promise<Answer | null> {
    const { engine, conversation_id, run_id } = client;
    const answered = new Promise<Answer | null>((resolve) => client.asks.set(ask.key, resolve));
    await engine.fact(conversation_id, (step) => {
      const run = step.tree.runs.get(run_id);
      if (run !== undefined) decideAsk(step, run, { type: 'ask', ...ask });
    });
    const known = asksOf(engine.tree(conversation_id), run_id).find(({ key }) => key === ask.key);
    if (known !== undefined && known.row.state !== 'open') return settledAnswer(known);
    return Promise.race([answered, client.ended.then(() => null)]);
  }
}

function asksOf(tree: ConversationTree | null, runId: string): AskRecord[] {
  return tree === null ? [] : asksOfRun(tree, runId);
}

/** An ask that was answered before it was asked again. */
function settledAnswer({ key, row: { choice, note, state } }: AskRecord): Answer | null {
  if (state !== 'answered') return null;
  const given = choice === 'deny' || choice === 'text' ? choice : 'allow';
  return { type: 'answer', key, choice: given, remember: false, note };
}

function take<T>(waiting: Map<string, (answer: T) => void>, key: string, answer: T): void {
  waiting.get(key)?.(answer);
  waiting.delete(key);
}

function endedWords(words: string): string {
  return `This conversation has ended in Espalier (${words.toLowerCase()}). Nothing more is started from this session; a new one can delegate again.`;
}

/** The client's own name, as an agent is named. */
function nameOf(client: string): string {
  const name = client
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N} ._-]+/gu, ' ')
    .trim();
  return name === '' ? 'client' : name.slice(0, 40);
}
