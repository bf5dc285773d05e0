import { z } from 'zod';
import { decideCallRefused, decideControl, decideSpawn, type ControlAction } from '../../delegation/decide-call.ts';
import { treeMoneyLimits } from '../../delegation/decide-budget.ts';
import type { BatchWorld } from '../../delegation/batch/batch-world.ts';
import { parseBatchValue } from '../../delegation/batch/parse-batch.ts';
import { validateBatch } from '../../delegation/batch/validate-batch.ts';
import type { Step } from '../../delegation/step.ts';
import { callKey, type CallRecord } from '../../delegation/tree.ts';
import { waitOf } from '../../mcp/delegate-call.ts';
import type { Batch } from '../../protocol/batch.ts';
import type { BatchProblem } from '../../protocol/errors.ts';
import { isOutside, type RunRow } from '../../protocol/rows.ts';
import type { Settings } from '../../protocol/settings.ts';
import { resolveInside } from '../../workspace/containment/resolve-inside.ts';
import type { ProjectEngine } from '../engine/project-engine.ts';
import { isolationCheck } from './isolation-check.ts';
import { batchWorld } from './world.ts';

/** What carrying out a run's call needs. */
export interface CallDeps {
  settings(projectId?: string): Settings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  project(id: string): { readonly path: string } | undefined;
  agentsIn(projectId: string): Promise<BatchWorld['agents']>;
}

const Action = z
  .string()
  .transform((text) => text.trim().toLowerCase())
  .pipe(z.enum(['spawn', 'list', 'wait', 'steer', 'stop', 'answer']));

/**
 * Carries out a stored call of a run: a delegation, or list, steer and stop of its own children (C1). Whatever is wrong is
 * an answer that the model can read; nothing was started then (S1).
 */
export async function takeUpCall(
  engine: ProjectEngine,
  conversationId: string,
  runId: string,
  callId: string,
  deps: CallDeps,
): Promise<void> {
  const call = engine.tree(conversationId)?.calls.get(callKey(runId, callId));
  if (call === undefined || call.answer !== null || call.delegation_id !== null) return;
  const run = engine.tree(conversationId)?.runs.get(runId);
  const tree = engine.tree(conversationId);
  const limits = tree === null ? [] : treeMoneyLimits(tree, runId);
  const decide = await decisionOf(call.arguments, run, limits, deps);
  // A call is stored: what becomes of it is a fact, not a command that storage trouble could refuse.
  await engine.fact(conversationId, (step) => {
    if (typeof decide === 'string') decideCallRefused(step, runId, callId, decide);
    else decide(step, call);
  });
}

/** What carries the call out, or in words why it cannot be. `run`: the one that calls; `limits`: of money, in its tree. */
async function decisionOf(
  args: unknown,
  run: RunRow | undefined,
  limits: readonly string[],
  deps: CallDeps,
): Promise<((step: Step, call: CallRecord) => void) | string> {
  if (typeof args !== 'object' || args === null) return 'The arguments must be an object.';
  const { action: written, run_id, message, wait, ...rest } = args as Record<string, unknown>;
  // Models send null for what they leave out.
  const action = Action.safeParse(written ?? 'spawn');
  if (!action.success) return 'Unknown action. Use spawn (or leave action out), list, wait, steer, stop or answer.';
  if (action.data === 'wait') {
    const { delegation_id: id } = rest;
    const control = { action: 'wait' as const, delegation_id: typeof id === 'string' && id !== '' ? id : null };
    return (step, call) => decideControl(step, call, control);
  }
  if (action.data !== 'spawn') {
    const control = controlOf(action.data, run_id, message);
    return typeof control === 'string' ? control : (step, call) => decideControl(step, call, control);
  }
  const waits = waitOf(wait);
  if (waits === undefined) return 'wait must be true or false, or left out. Nothing was started.';
  const batch = await readBatch(rest, run, limits, deps);
  if (typeof batch === 'string') return batch;
  return (step, call) => {
    const byDefault = batch.wait ?? waitsByDefault(step.tree.runs.get(call.run_id));
    decideSpawn(step, call.run_id, call.call_id, batch, waits ?? byDefault);
  };
}

/** A lead is told later; one that cannot be, and all others, wait (P1, P6). */
function waitsByDefault(run: RunRow | undefined): boolean {
  return run?.lead !== true || isOutside(run);
}

function controlOf(
  action: 'list' | 'steer' | 'stop' | 'answer',
  runId: unknown,
  message: unknown,
): ControlAction | string {
  if (action === 'list') return { action };
  if (typeof runId !== 'string' || runId === '') return `The action ${action} needs run_id, from the action list.`;
  if (action === 'stop') return { action, run_id: runId };
  if (typeof message !== 'string' || message.trim() === '')
    return `The action ${action} needs a message that is not blank.`;
  return { action, run_id: runId, message };
}

async function readBatch(
  args: unknown,
  run: RunRow | undefined,
  limits: readonly string[],
  deps: CallDeps,
): Promise<Batch | string> {
  const raw = parseBatchValue(args);
  if (!raw.ok) return problemText(raw.error);
  const settings = deps.settings(run?.project_id);
  // What neither task nor agent says is as in the run above: its permission mode (K3), and a model that was chosen for it alone.
  const { permission, model } = run ?? { permission: settings.permission, model: null };
  const inherited = { ...settings, permission, defaultModel: model ?? settings.defaultModel };
  const agents = await deps.agentsIn(run?.project_id ?? '');
  const world = batchWorld(inherited, agents, deps.environment, undefined, limits);
  const project = run === undefined ? undefined : deps.project(run.project_id);
  const isolation = isolationCheck(project, deps.environment);
  const batch = await validateBatch(raw.value.batch, { ...world, ...isolation });
  if (!batch.ok) return problemText(batch.error);
  const outside = project === undefined ? [] : await imagesOutside(batch.value, project.path);
  return outside.length === 0 ? batch.value : problemText(outside);
}

/** Images are read for whoever names them: a model gets none by that which its file tools would not give it (A3). */
async function imagesOutside({ tasks }: Batch, project: string): Promise<BatchProblem[]> {
  const named = tasks.flatMap(({ images }, index) => images.map((image) => ({ image, index })));
  const checked = await Promise.all(
    named.map(async ({ image, index }): Promise<BatchProblem[]> => {
      if (image.startsWith('data:') || (await resolveInside(project, image)).ok) return [];
      const message = `Task ${index + 1}: the image ${image.slice(0, 200)} is not in the project.`;
      const fix = 'Name one by its path in the project, or leave it out.';
      return [{ task_index: index, field: 'images', message, fix, suggestion: null, pointer: null }];
    }),
  );
  return checked.flat();
}

/** Problems of a single prompt in its own words: whoever wrote it has neither a batch nor tasks. */
export function promptProblemText(problems: readonly BatchProblem[]): string {
  return problems
    .map(({ message, fix }) => `${asSentence(message.replace(/^(?:Task 1|The settings): /, ''))} ${fix}`.trimEnd())
    .join(' ');
}

const asSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Problems of a batch as a model or a person reads them. */
export function problemText(problems: readonly BatchProblem[]): string {
  const lines = problems.map(({ message, fix }) => `- ${message} ${fix}`);
  return `The batch was refused and nothing was started:\n${lines.join('\n')}`;
}
