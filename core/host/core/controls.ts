import type { BatchWorld } from '../../delegation/batch/batch-world.ts';
import { decideAdd } from '../../delegation/decide-add.ts';
import { treeMoneyLimits } from '../../delegation/decide-budget.ts';
import { decideContinue } from '../../delegation/decide-continue.ts';
import { decideGate } from '../../delegation/decide-pause.ts';
import { decideRetry, decideRetrySet } from '../../delegation/decide-retry.ts';
import { unknownRun } from '../../delegation/decide-steer.ts';
import { slotRuns, type ConversationTree } from '../../delegation/tree.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { Batch } from '../../protocol/batch.ts';
import type { DispatchAnswer, DispatchOptions, NewRun } from '../../protocol/api/dispatch.ts';
import type { PauseAnswer } from '../../protocol/api/runs.ts';
import type { ApiError } from '../../protocol/errors.ts';
import type { RunRow } from '../../protocol/rows.ts';
import { readBatch } from './commands.ts';
import type { Core } from './core.ts';
import { editedTask, type TaskEdits } from './edited-task.ts';
import { isolationCheck } from './isolation-check.ts';
import { locate, type Place } from './locate.ts';
import { batchWorld } from './world.ts';
import { firstAnswer } from './receipts.ts';

/** Closes or opens a gate: of a run, set or conversation, or with null of the app (R9). */
export async function setGate(core: Core, id: string | null, paused: boolean): Promise<Result<PauseAnswer, ApiError>> {
  if (id === null) {
    const done = await core.setPaused(paused);
    const note = paused
      ? 'Everything is paused: nothing new starts. Resume everything to undo.'
      : 'Everything goes on.';
    return done.ok ? ok({ done: true, note }) : done;
  }
  const place = await locate(core.projects, id);
  if (!place.ok) return place;
  return place.value.engine.command(place.value.conversation_id, (step) => {
    const note = decideGate(step, id, paused);
    return note.ok ? ok({ done: true, note: note.value }) : note;
  });
}

/** Where new runs are about to be queued: its project is recovered at the next start. */
async function placeForRuns(core: Core, id: string): Promise<Result<Place, ApiError>> {
  const place = await locate(core.projects, id);
  if (!place.ok) return place;
  const marked = await core.projects.markLive(place.value.engine.projectId);
  return marked.ok ? place : marked;
}

interface RetryInput extends TaskEdits {
  readonly run_id: string;
  readonly client_token: string;
}

/** A new run in the slot of an ended one, perhaps with another goal, agent or model (C5). */
export async function retry(core: Core, input: RetryInput): Promise<Result<NewRun, ApiError>> {
  const { run_id, client_token: token } = input;
  const place = await placeForRuns(core, run_id);
  if (!place.ok) return place;
  const { engine, conversation_id } = place.value;
  const tree = engine.tree(conversation_id);
  const run = tree?.runs.get(run_id);
  const task = tree?.facts.get(run_id)?.task;
  if (tree === null || run === undefined || task === undefined) return err(unknownRun(run_id));
  const edited = await editedTask(task, input, worldOf(core, tree, run, undefined, task.id));
  if (!edited.ok) return firstAnswer(engine, token, edited);
  return engine.command(conversation_id, (step) => decideRetry(step, run_id, edited.value), { token });
}

/** New runs for what failed in a set (C5). */
export async function retrySet(
  core: Core,
  { delegation_id, client_token: token }: { readonly delegation_id: string; readonly client_token: string },
): Promise<Result<{ runs: NewRun[] }, ApiError>> {
  const place = await placeForRuns(core, delegation_id);
  if (!place.ok) return place;
  const decided = await place.value.engine.command(
    place.value.conversation_id,
    (step) => decideRetrySet(step, delegation_id),
    { token },
  );
  return decided.ok ? ok({ runs: decided.value }) : decided;
}

/** Goes on with the session of an ended run (C5). */
export async function continueRun(
  core: Core,
  {
    run_id,
    text,
    client_token: token,
  }: { readonly run_id: string; readonly text: string; readonly client_token: string },
): Promise<Result<NewRun, ApiError>> {
  if (text.trim() === '') return err({ code: 'invalid_input', message: 'The message is blank. Nothing was started.' });
  const place = await placeForRuns(core, run_id);
  if (!place.ok) return place;
  return place.value.engine.command(place.value.conversation_id, (step) => decideContinue(step, run_id, text), {
    token,
  });
}

interface AddInput {
  readonly delegation_id: string;
  readonly batch: unknown;
  readonly options?: DispatchOptions | undefined;
  readonly client_token: string;
}

/** Adds tasks to a set that has not ended (S8). */
export async function addTasks(core: Core, input: AddInput): Promise<Result<DispatchAnswer, ApiError>> {
  const { delegation_id, client_token: token } = input;
  const place = await placeForRuns(core, delegation_id);
  if (!place.ok) return place;
  const { engine, conversation_id } = place.value;
  for (;;) {
    const seen = engine.tree(conversation_id)?.sets.get(delegation_id)?.count;
    const batch = await readAdded(core, place.value, input);
    if (!batch.ok) return firstAnswer(engine, token, batch);
    let grew = false;
    const added = await engine.command(
      conversation_id,
      (step): Result<DispatchAnswer, ApiError> => {
        // Validated against a set that has grown since: ids may be taken now.
        grew = step.tree.sets.get(delegation_id)?.count !== seen;
        return grew ? err(unknownRun(delegation_id)) : decideAdd(step, delegation_id, batch.value);
      },
      { token },
    );
    if (!grew) return added;
  }
}

function readAdded(
  core: Core,
  place: Place,
  { delegation_id, batch, options }: AddInput,
): Promise<Result<Batch, ApiError>> {
  const tree = place.engine.tree(place.conversation_id);
  if (tree === null) return Promise.resolve(err(unknownRun(delegation_id)));
  const [sibling] = slotRuns(tree, delegation_id);
  const world = sibling === undefined ? {} : worldOf(core, tree, sibling, options);
  return readBatch(core, place.engine.projectId, batch, options, world);
}

/**
 * What validation of a task of a set that is there knows: its other tasks, limits of money around it (R5), and below a run the model and the
 * permission of that run (K3). `own` is the id of a task that is to be replaced.
 */
function worldOf(
  core: Core,
  tree: ConversationTree,
  sibling: RunRow,
  options?: DispatchOptions,
  own: string | null = null,
): BatchWorld {
  const settings = core.settingsIn(sibling.project_id);
  const parent = sibling.parent_run_id === null ? undefined : tree.runs.get(sibling.parent_run_id);
  const { permission, model } = parent ?? { permission: settings.permission, model: null };
  const inherited = { ...settings, permission, defaultModel: model ?? settings.defaultModel };
  const limits = treeMoneyLimits(tree, sibling.run_id);
  const runs = sibling.delegation_id === null ? [] : slotRuns(tree, sibling.delegation_id);
  const ids = runs.flatMap((run) => tree.facts.get(run.run_id)?.task.id ?? []);
  return {
    ...batchWorld(inherited, core.agents.of(sibling.project_id), core.options.environment, options, limits),
    ...isolationCheck(core.projects.get(sibling.project_id), core.options.environment),
    existing: { ids: ids.filter((id) => id !== own), count: runs.length },
  };
}
