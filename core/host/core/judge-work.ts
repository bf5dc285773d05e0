import type { BatchWorld } from '../../delegation/batch/batch-world.ts';
import { parseBatchValue } from '../../delegation/batch/parse-batch.ts';
import { validateBatch } from '../../delegation/batch/validate-batch.ts';
import type { DispatchOptions } from '../../protocol/api/dispatch.ts';
import type { BatchProblem } from '../../protocol/errors.ts';
import type { Core } from './core.ts';
import { isolationCheck } from './isolation-check.ts';
import { noAgentFor } from './no-agent.ts';
import { batchWorld } from './world.ts';

/** The project that work is meant for; or a folder, which may be attached. */
export interface Meant {
  readonly project_id: string | null;
  readonly folder?: string | undefined;
}

/** What is in the way of work, before anything is stored or attached (S1). */
export interface Judgement {
  readonly problems: BatchProblem[];
  /** No program of its agents is here; left out when one is. */
  readonly no_agent?: string;
}

function projectOf(core: Core, { project_id, folder }: Meant): string | null {
  return project_id ?? (folder === undefined ? undefined : core.projects.at(folder)?.project_id) ?? null;
}

/** What validation knows, of a project or folder if one is meant. */
export async function worldFor(
  core: Core,
  { project_id, folder }: Meant,
  options?: DispatchOptions,
): Promise<BatchWorld> {
  const { environment } = core.options;
  const projectId = projectOf(core, { project_id, folder });
  await core.agents.refresh(projectId);
  const agents = core.agents.of(projectId);
  const place = folder === undefined ? undefined : { path: folder };
  const project = projectId === null ? place : core.projects.get(projectId);
  return {
    ...batchWorld(core.settingsIn(projectId), agents, environment, options),
    ...isolationCheck(project, environment),
  };
}

/** Looks at a batch in the JSON form as a dispatch of it would. */
export async function judgeWork(
  core: Core,
  meant: Meant,
  batch: unknown,
  options?: DispatchOptions,
): Promise<Judgement> {
  const parsed = parseBatchValue(batch);
  if (!parsed.ok) return { problems: parsed.error };
  const valid = await validateBatch(parsed.value.batch, await worldFor(core, meant, options));
  if (!valid.ok) return { problems: valid.error };
  const no_agent = await noAgentFor(core, projectOf(core, meant), valid.value);
  return { problems: [], ...(no_agent === null ? {} : { no_agent }) };
}
