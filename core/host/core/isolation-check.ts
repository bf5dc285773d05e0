import type { BatchWorld } from '../../delegation/batch/batch-world.ts';
import { isolationObstacle } from '../../workspace/worktrees/isolation-obstacle.ts';

/** What validation asks when a task wants a worktree (W2): looked at once for a batch. Without a project nothing can be said. */
export function isolationCheck(
  project: { readonly path: string } | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Pick<BatchWorld, 'isolationObstacle'> {
  if (project === undefined) return {};
  let found: Promise<string | null> | null = null;
  const look = async (): Promise<string | null> =>
    (await isolationObstacle({ project: project.path, environment }))?.message ?? null;
  return { isolationObstacle: () => (found ??= look()) };
}
