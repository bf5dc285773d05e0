import { useQuery } from '@tanstack/react-query';
import { DEMO_MODEL } from '../../core/protocol/demo.ts';
import type { NamedModel } from '../../core/protocol/named-model.ts';
import { api } from './client.ts';
import { useApp, useProject } from './live-rows.ts';

const NONE: readonly NamedModel[] = [];

/** Models that can be named in a project: those of the Demo are no one else's. */
export function useModels(projectId: string | null): readonly NamedModel[] {
  const scripted = useProject(projectId)?.scripted === true;
  const input = scripted ? { project_id: projectId } : undefined;
  return useQuery(api.models.list.queryOptions({ input })).data ?? NONE;
}

/** The model that holds in a project without a choice, by settings or as the app proposes it; null without any. */
export function useDefaultModel(projectId: string | null): string | null {
  const scripted = useProject(projectId)?.scripted === true;
  const ofApp = useApp()?.default_model ?? null;
  return scripted ? DEMO_MODEL : ofApp;
}
