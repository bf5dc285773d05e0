import type { Batch, Task } from '../../protocol/batch.ts';
import type { DispatchAnswer, DispatchOptions } from '../../protocol/api/dispatch.ts';
import type { ApiError } from '../../protocol/errors.ts';
import type { ConversationRow, RunRow, SteerRow } from '../../protocol/rows.ts';
import type { ProcessName, StopReceipt } from '../../protocol/report.ts';
import type { BatchWorld } from '../../delegation/batch/batch-world.ts';
import { parseBatch, parseBatchValue } from '../../delegation/batch/parse-batch.ts';
import { validateBatch } from '../../delegation/batch/validate-batch.ts';
import { decideContinueLead } from '../../delegation/decide-continue.ts';
import { decideDispatch, newRun } from '../../delegation/decide-dispatch.ts';
import { decideLetGo } from '../../delegation/decide-let-go.ts';
import { decideSteer } from '../../delegation/decide-steer.ts';
import { decideStop, runsOf } from '../../delegation/decide-stop.ts';
import type { Step } from '../../delegation/step.ts';
import { taskName } from '../../delegation/lines/set-lines.ts';
import { isEnded } from '../../protocol/lifecycle.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { Place } from './locate.ts';
import { locate } from './locate.ts';
import type { ProjectEngine } from '../engine/project-engine.ts';
import { problemText, promptProblemText } from './calls.ts';
import type { Core } from './core.ts';
import { isDemo } from './demo.ts';
import { newConversation } from './new-conversation.ts';
import { isolationCheck } from './isolation-check.ts';
import { batchWorld } from './world.ts';
import { firstAnswer } from './receipts.ts';
import { exportRedactor } from '../secrets/export-redactor.ts';

/** Reads and validates a batch in any form (S1–S3). `more` is what validation is to know beside settings, project and options. */
export async function readBatch(
  core: Core,
  projectId: string,
  input: unknown,
  options?: DispatchOptions,
  more: Partial<BatchWorld> = {},
): Promise<Result<Batch, ApiError>> {
  const raw = typeof input === 'string' ? parseBatch({ text: input }) : parseBatchValue(input);
  if (!raw.ok) return err({ code: 'invalid_batch', message: problemText(raw.error), problems: raw.error });
  await core.agents.refresh(projectId);
  const world = batchWorld(core.settingsIn(projectId), core.agents.of(projectId), core.options.environment, options);
  const isolation = isolationCheck(core.projects.get(projectId), core.options.environment);
  const batch = await validateBatch(raw.value.batch, { ...world, ...isolation, ...more });
  if (batch.ok) return batch;
  return err({ code: 'invalid_batch', message: problemText(batch.error), problems: batch.error });
}

/** Reads what a lead is told, by the rules of a batch of one task; a refusal is in the words of a prompt. */
async function readPrompt(
  core: Core,
  projectId: string,
  task: object,
  options?: DispatchOptions,
): Promise<Result<Batch, ApiError>> {
  const batch = await readBatch(core, projectId, task, options);
  if (batch.ok || batch.error.problems === undefined) return batch;
  return err({ code: batch.error.code, message: promptProblemText(batch.error.problems) });
}

function titleOf(batch: Batch): string {
  const [first] = batch.tasks;
  return batch.title ?? (first === undefined ? 'Batch' : taskName(first, 60));
}

interface DispatchInput {
  readonly project_id: string;
  readonly conversation_id: string | null;
  readonly batch: unknown;
  readonly options?: DispatchOptions | undefined;
  readonly client_token: string;
}

/** Stores a set (S4, S6, S7) in a new or known conversation. */
export async function dispatch(core: Core, input: DispatchInput): Promise<Result<DispatchAnswer, ApiError>> {
  const engine = await core.projects.engine(input.project_id);
  if (!engine.ok) return engine;
  const batch = await readBatch(core, input.project_id, input.batch, input.options);
  if (!batch.ok) return firstAnswer(engine.value, input.client_token, batch);
  const marked = await core.projects.markLive(input.project_id);
  if (!marked.ok) return marked;
  const place = placeFor(core, input, titleOf(batch.value));
  const sized = withCap(batch.value, input.options);
  return engine.value.command(
    place.conversation_id,
    (step) => ok(decideDispatch(step, input.project_id, sized, { type: 'user' })),
    { token: input.client_token, ...place.options },
  );
}

/** The conversation that a command goes to; with its first row if it is to begin. */
function placeFor(
  core: Core,
  { conversation_id, project_id }: Pick<DispatchInput, 'conversation_id' | 'project_id'>,
  title: string,
  limits: Pick<ConversationRow, 'tree_limits'> = {},
): { readonly conversation_id: string; readonly options: { readonly create?: ConversationRow } } {
  if (conversation_id !== null) return { conversation_id, options: {} };
  const scripted = isDemo(core.projects.get(project_id));
  const create = { ...newConversation(core.options, project_id, title), ...limits, scripted };
  return { conversation_id: create.conversation_id, options: { create } };
}

/** The lower of the two caps, and of the two limits of money: a flag never widens what the file says. */
function withCap(batch: Batch, { max_concurrent: cap, max_cost_usd: cost }: DispatchOptions = {}): Batch {
  const { max_concurrent, tree_limits } = batch;
  return {
    ...batch,
    max_concurrent: cap === undefined ? max_concurrent : Math.min(cap, max_concurrent ?? cap),
    tree_limits:
      cost === undefined
        ? tree_limits
        : { ...tree_limits, max_cost_usd: Math.min(cost, tree_limits.max_cost_usd ?? cost) },
  };
}

interface LeadInput {
  readonly project_id: string;
  readonly conversation_id: string | null;
  readonly text: string;
  readonly images?: readonly string[] | undefined;
  readonly options?: DispatchOptions | undefined;
  readonly once?: boolean | undefined;
  readonly client_token: string;
}

type LeadAnswer = Result<{ conversation_id: string; run_id: string }, ApiError>;

/** Begins a lead, or sends it the next message. */
export async function sendToLead(core: Core, input: LeadInput): Promise<LeadAnswer> {
  const engine = await core.projects.engine(input.project_id);
  if (!engine.ok) return engine;
  const { conversation_id } = input;
  const lead = conversation_id === null ? null : (engine.value.tree(conversation_id)?.conversation.lead_run_id ?? null);
  if (conversation_id === null || lead === null) return beginLead(core, engine.value, input);
  const marked = await core.projects.markLive(input.project_id);
  if (!marked.ok) return marked;
  const change = await changeOfLead(core, engine.value, conversation_id, lead, input);
  if (!change.ok) return change;
  return engine.value.command(conversation_id, (step) => messageToLead(step, lead, input, change.value), {
    token: input.client_token,
  });
}

/**
 * The task with which another agent or model is to go on, once the lead that there is has ended for it; undefined when both stay. A message that comes
 * twice finds the change made.
 */
async function changeOfLead(
  core: Core,
  engine: ProjectEngine,
  conversationId: string,
  leadId: string,
  input: LeadInput,
): Promise<Result<Task | undefined, ApiError>> {
  const lead = engine.tree(conversationId)?.runs.get(leadId);
  const wanted = lead === undefined ? null : wantedInstead(lead, input.options);
  if (lead === undefined || wanted === null) return ok(undefined);
  const batch = await readPrompt(core, input.project_id, { goal: input.text }, wanted);
  if (!batch.ok) return batch;
  if (!isEnded(lead.state)) {
    const gone = await engine.command(conversationId, (step) => decideLetGo(step, leadId));
    if (!gone.ok) return gone;
    await allEnded(core, { engine, conversation_id: conversationId }, [leadId]);
  }
  return ok(batch.value.tasks[0]);
}

/** The options of who is to lead from now on; null when it is who leads already. A model belongs to its agent: another agent has its own. */
function wantedInstead(lead: RunRow, options: DispatchOptions = {}): DispatchOptions | null {
  const { agent = lead.agent } = options;
  const isSame = agent === lead.agent;
  const model = options.model ?? (isSame ? lead.model : null);
  if (isSame && model === lead.model) return null;
  return { ...options, agent, ...(model === null ? {} : { model }) };
}

/** The next message to a lead; one that has ended is continued with it (T1). */
function messageToLead(step: Step, before: string, input: LeadInput, change?: Task): Awaited<LeadAnswer> {
  const { conversation_id, lead_run_id } = step.tree.conversation;
  const { once = false } = input;
  const text = withImages(input);
  const run_id = lead_run_id ?? before;
  const hasEnded = isEnded(step.tree.runs.get(run_id)?.state ?? 'ended');
  const sent = hasEnded
    ? decideContinueLead(step, run_id, text, once, change)
    : decideSteer(step, run_id, 'follow_up', text);
  return sent.ok ? ok({ conversation_id, run_id: sent.value.run_id }) : sent;
}

/** A message that is not the first has text alone: its images are named, to be read as files. */
function withImages({ text, images = [] }: LeadInput): string {
  return images.length === 0 ? text : `${text}\n\nAttached images:\n${images.map((path) => `- ${path}`).join('\n')}`;
}

const firstTask = ({ text, images = [] }: LeadInput): object =>
  images.length === 0 ? { goal: text } : { goal: text, images };

async function beginLead(core: Core, engine: ProjectEngine, input: LeadInput): Promise<LeadAnswer> {
  const batch = await readPrompt(core, input.project_id, firstTask(input), input.options);
  if (!batch.ok) return firstAnswer(engine, input.client_token, batch);
  const [task] = batch.value.tasks;
  if (task === undefined) return err({ code: 'invalid_input', message: 'Write what the lead is to do.' });
  const marked = await core.projects.markLive(input.project_id);
  if (!marked.ok) return marked;
  const cost = input.options?.max_cost_usd;
  const limits = cost === undefined ? {} : { tree_limits: { max_cost_usd: cost } };
  const place = placeFor(core, input, taskName(task, 60), limits);
  return engine.command(
    place.conversation_id,
    (step) => {
      const run = newRun(step, input.project_id, task, { set: null, index: null, parent: null, retryOf: null });
      step.queue(run, task, input.once ?? false);
      step.emit({ type: 'conversation_changed', v: 1, conversation_id: run.conversation_id, lead_run_id: run.run_id });
      step.effect({ type: 'ask_place', run_id: run.run_id, head: false });
      return ok({ conversation_id: run.conversation_id, run_id: run.run_id });
    },
    { token: input.client_token, ...place.options },
  );
}

/** Accepts a steering message (C2). */
export async function steer(
  core: Core,
  input: {
    readonly run_id: string;
    readonly text: string;
    readonly mode: 'steer' | 'follow_up';
    readonly client_token: string;
  },
): Promise<Result<SteerRow, ApiError>> {
  if (input.text.trim() === '')
    return err({ code: 'invalid_input', message: 'The message is blank. Nothing was sent.' });
  const place = await locate(core.projects, input.run_id);
  if (!place.ok) return place;
  return place.value.engine.command(
    place.value.conversation_id,
    (step) => decideSteer(step, input.run_id, input.mode, input.text),
    { token: input.client_token },
  );
}

/**
 * Stops a run, set or conversation, and answers with a receipt when the end of everything is proved (C3, C4). `now`: without time to end by itself, also
 * when it is being stopped already.
 */
export async function stop(core: Core, id: string, now = false): Promise<Result<StopReceipt, ApiError>> {
  const place = await locate(core.projects, id);
  if (!place.ok) return place;
  const { engine, conversation_id } = place.value;
  const stopped = await engine.command(conversation_id, (step) => ok(decideStop(step, runsOf(step.tree, id) ?? [])));
  if (!stopped.ok) return stopped;
  const ends = core.attempts.watchEnds(stopped.value);
  if (now) for (const runId of stopped.value) hurry(core, runId);
  await allEnded(core, place.value, stopped.value).finally(ends);
  const redact = exportRedactor(core.settings.value, core.options.environment);
  const named = (processes: readonly ProcessName[]): ProcessName[] =>
    processes.map(({ pid, command }) => ({ pid, command: redact(command) }));
  const { survivors, ...receipt } = receiptOf(place.value, stopped.value);
  return ok({ ...receipt, ended: named(ends()), survivors: named(survivors) });
}

/** What is at work of a run that is being stopped gets no more time. */
function hurry({ attempts, closings }: Core, runId: string): void {
  if (closings.stop(runId, true)) return;
  const attempt = attempts.ofRun(runId);
  if (attempt !== null) attempts.pool.stop(attempt, 'stop', 0);
}

/** Resolves when every one of the runs has ended. */
async function allEnded(core: Core, { engine, conversation_id }: Place, runIds: readonly string[]): Promise<void> {
  const open = (): boolean => {
    const tree = engine.tree(conversation_id);
    return runIds.some((runId) => !isEnded(tree?.runs.get(runId)?.state ?? 'ended'));
  };
  while (open()) await core.nextCommit();
  await engine.settled();
}

function receiptOf({ engine, conversation_id }: Place, runIds: readonly string[]): Omit<StopReceipt, 'ended'> {
  const tree = engine.tree(conversation_id);
  const rows = runIds.flatMap((runId) => tree?.runs.get(runId) ?? []);
  const survivors = rows.flatMap((row) => row.survivors);
  const unproved = rows.map((row) => row.proof).find((proof) => proof?.method === 'unknown');
  const observed = rows.map((row) => row.proof).find((proof) => proof?.method === 'observed');
  const proof: StopReceipt['proof'] =
    survivors.length > 0 ? { method: 'survivors' } : (unproved ?? observed ?? { method: 'not_started' });
  return { run_ids: [...runIds], survivors, proof };
}
