import { join } from 'node:path';
import { hostCore } from '../host/core/host-core.ts';
import { systemClock } from '../kit/clock.ts';
import { silentLogger } from '../kit/logger.ts';
import { systemRandom } from '../kit/random.ts';
import { until } from './process-trees.ts';

/** What a core that a test can really kill is told, as its argument. */
interface Orders {
  readonly home: string;
  readonly project: string;
  readonly environment: Record<string, string>;
  readonly batch: unknown;
  /** What is done with the worktree of the first run when it has ended, or instead of a dispatch with that of an earlier one. */
  readonly change?: { readonly what: 'apply' | 'keep' | 'discard'; readonly run_id?: string };
}

const { home, project, environment, batch, change } = JSON.parse(process.argv[2] ?? '') as Orders;
const CALLER = { client: 'test' };
const packageRoot = join(import.meta.dirname, '..', '..');
const hosted = await hostCore({
  home,
  version: '0.0.0',
  clock: systemClock,
  random: systemRandom,
  logger: silentLogger,
  packageRoot,
  workerEntry: join(packageRoot, 'core', 'host', 'child.ts'),
  environment,
  unattendedMs: 0,
  warmWorkers: 0,
});
if (!hosted.ok) throw new Error(hosted.error.message);
const { service } = hosted.value;
const added = await service.projects.add({ path: project }, CALLER);
if (!added.ok) throw new Error(added.error.message);
const { project_id } = added.value;
const runId = change?.run_id ?? (await dispatch());
if (change !== undefined) {
  if (change.run_id !== undefined) process.stdout.write('null\n');
  await changeWorktree(runId, change.what);
}

/** Answers the first run. */
async function dispatch(): Promise<string> {
  const input = { project_id, conversation_id: null, batch, client_token: systemRandom.hex(16) };
  const answer = await service.batches.dispatch(input, CALLER);
  if (!answer.ok) throw new Error(answer.error.message);
  process.stdout.write(`${JSON.stringify(answer.value)}\n`);
  return answer.value.run_ids[0] ?? '';
}

async function changeWorktree(run_id: string, what: 'apply' | 'keep' | 'discard'): Promise<void> {
  const hasEnded = async (): Promise<boolean> => {
    const shown = await service.runs.show({ id: run_id }, CALLER);
    return shown.ok && shown.value.result !== null;
  };
  await until('the end of the run', hasEnded, 60_000);
  if (what === 'apply') await service.changes.apply({ run_id, mode: 'squash' }, CALLER);
  if (what === 'keep') await service.changes.keep({ run_id }, CALLER);
  if (what === 'discard') await service.changes.discard({ run_id, accept_loss: false }, CALLER);
}
