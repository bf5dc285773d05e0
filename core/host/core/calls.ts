import { z } from 'zod';
import { decideCallRefused, decideControl, decideSpawn, type ControlAction } from '../../delegation/decide-call.ts';
import { parseBatchValue } from '../../delegation/batch/parse-batch.ts';
import { validateBatch } from '../../delegation/batch/validate-batch.ts';
import { callKey } from '../../delegation/tree.ts';
import { ok } from '../../kit/result.ts';
import type { BatchProblem } from '../../protocol/errors.ts';
import type { Settings } from '../../protocol/settings.ts';
import type { ProjectEngine } from '../engine/project-engine.ts';
import { batchWorld } from './world.ts';

/** What carrying out a run's call needs. */
export interface CallDeps {
  settings(): Settings;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const Action = z
  .string()
  .transform((text) => text.trim().toLowerCase())
  .pipe(z.enum(['spawn', 'list', 'steer', 'stop']));

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
  const refuse = (text: string): Promise<unknown> =>
    engine.command(conversationId, (step) => ok(decideCallRefused(step, runId, callId, text)));
  const args = call.arguments as Record<string, unknown>;
  const { action: written = 'spawn', run_id, message, wait, ...rest } = args;
  const action = Action.safeParse(written);
  if (!action.success) {
    await refuse('Unknown action. Use spawn (or leave action out), list, steer or stop.');
    return;
  }
  if (action.data !== 'spawn') {
    const control = controlOf(action.data, run_id, message);
    if (typeof control === 'string') await refuse(control);
    else await engine.command(conversationId, (step) => ok(decideControl(step, call, control)));
    return;
  }
  const batch = await readBatch(rest, deps);
  if (typeof batch === 'string') {
    await refuse(batch);
    return;
  }
  const lead = engine.tree(conversationId)?.runs.get(runId)?.lead === true;
  const waits = typeof wait === 'boolean' ? wait : (batch.wait ?? !lead);
  await engine.command(conversationId, (step) => ok(decideSpawn(step, runId, callId, batch, waits)));
}

function controlOf(action: 'list' | 'steer' | 'stop', runId: unknown, message: unknown): ControlAction | string {
  if (action === 'list') return { action };
  if (typeof runId !== 'string' || runId === '') return `The action ${action} needs run_id, from the action list.`;
  if (action === 'stop') return { action, run_id: runId };
  if (typeof message !== 'string' || message.trim() === '')
    return 'The action steer needs a message that is not blank.';
  return { action, run_id: runId, message };
}

async function readBatch(
  args: unknown,
  deps: CallDeps,
): Promise<Extract<Awaited<ReturnType<typeof validateBatch>>, { ok: true }>['value'] | string> {
  const raw = parseBatchValue(args);
  if (!raw.ok) return problemText(raw.error);
  const batch = await validateBatch(raw.value.batch, batchWorld(deps.settings(), deps.environment));
  return batch.ok ? batch.value : problemText(batch.error);
}

/** Problems of a batch as a model or a person reads them. */
export function problemText(problems: readonly BatchProblem[]): string {
  const lines = problems.map(({ message, fix }) => `- ${message} ${fix}`);
  return `The batch was refused and nothing was started:\n${lines.join('\n')}`;
}
