import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Isolation } from '../../../core/protocol/settings.ts';
import { api, core } from '../../app/client.ts';
import { useApp, useProject } from '../../app/live-rows.ts';
import { useDefaultModel, useModels } from '../../app/named-models.ts';
import { useBatch } from './batch-store.ts';
import type { World } from './world.ts';

/** Until settings have arrived: their defaults. */
const PER_SET = 10;

/** What the editor knows beside the batch. */
export function useWorld(): World {
  const project = useBatch((state) => state.project);
  const agents = useQuery(api.agents.list.queryOptions()).data;
  const models = useModels(project);
  const defaultModel = useDefaultModel(project);
  const settings = useQuery(api.settings.get.queryOptions()).data;
  const app = useApp();
  const day = settings?.limits.dayCostUsd;
  const today = app?.cost_today_usd ?? 0;
  const defaultAgent = app?.default_agent ?? 'general';
  const [atWork, places] = [app?.at_work ?? 0, app?.places ?? PER_SET];
  return useMemo(
    () => ({
      agents: agents ?? [],
      models,
      defaultAgent,
      defaultModel,
      permission: settings?.permission ?? 'ask',
      perSet: settings?.limits.concurrencyPerSet ?? PER_SET,
      atWork,
      places,
      leftUsd: day === undefined ? null : Math.max(0, day - today),
    }),
    [agents, models, settings, defaultAgent, defaultModel, atWork, places, day, today],
  );
}

const ALWAYS: readonly Isolation[] = ['none'];
const BOTH: readonly Isolation[] = ['none', 'worktree'];

/** The kinds of isolation that work in a project: worktrees only in a git project, and when the core accepts a task that wants one. */
export function useIsolations(project: string | null): readonly Isolation[] {
  const git = useProject(project)?.git ?? false;
  const { data } = useQuery({
    queryKey: ['batch', 'isolations', project],
    enabled: project !== null && git,
    staleTime: 60_000,
    queryFn: async () => {
      const batch = { tasks: [{ goal: 'Show that a worktree can be made here', isolation: 'worktree' }] };
      const { problems } = await core.batches.validate({ project_id: project, batch });
      return !problems.some(({ field }) => field === 'isolation');
    },
  });
  return git && data === true ? BOTH : ALWAYS;
}
