import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AgentDefinition } from '../../../core/protocol/agents.ts';
import { api } from '../../app/client.ts';
import { useApp, useConversation, useRun } from '../../app/live-rows.ts';
import { startStrings } from '../../shared/start-strings.ts';
import type { SelectOption } from '../../ui/select.tsx';

const words = startStrings.composer;

/** Who can lead, and with which model; the first of each is what holds without a choice. */
export interface LeadChoices {
  readonly agents: readonly SelectOption[];
  /** Empty for an agent without a choice of ours. */
  readonly models: readonly SelectOption[];
}

const afterSlash = (ref: string): string => ref.slice(ref.indexOf('/') + 1);

const isBuiltin = (agent: AgentDefinition | undefined): boolean => agent === undefined || agent.runner === 'builtin';

function modelOf(agent: AgentDefinition | undefined, ofLead: string | null, ofSettings: string | null): string | null {
  return ofLead ?? agent?.model ?? (isBuiltin(agent) ? ofSettings : null);
}

/** A program cannot lead: it hears no messages. */
function agentOptions(agents: readonly AgentDefinition[], usual: string): readonly SelectOption[] {
  const others = agents.filter(({ id, runner }) => id !== usual && runner !== 'command');
  return [{ value: '', label: usual }, ...others.map(({ id }) => ({ value: id, label: id }))];
}

function modelOptions(
  models: readonly { readonly ref: string; readonly has_key: boolean }[],
  agent: AgentDefinition | undefined,
  model: string | null,
): readonly SelectOption[] {
  const none = isBuiltin(agent) ? words.noModel : words.ownModel;
  const others = isBuiltin(agent) ? models.filter(({ ref, has_key }) => has_key && ref !== model) : [];
  return [
    { value: '', label: model === null ? none : afterSlash(model) },
    ...others.map(({ ref }) => ({ value: ref, label: afterSlash(ref) })),
  ];
}

/** The choices for the next message; `agent` is the one chosen for it, or empty. */
export function useLeadChoices(conversationId: string | null, agent: string): LeadChoices {
  const agents = useQuery(api.agents.list.queryOptions()).data;
  const models = useQuery(api.models.list.queryOptions()).data;
  const app = useApp();
  const lead = useRun(useConversation(conversationId)?.lead_run_id ?? null);
  const usual = lead?.agent ?? app?.default_agent ?? 'general';
  const [leadModel, defaultModel] = [lead?.model ?? null, app?.default_model ?? null];
  return useMemo(() => {
    const chosen = agents?.find(({ id }) => id === (agent === '' ? usual : agent));
    // Another agent has a model of its own.
    const model = modelOf(chosen, agent === '' ? leadModel : null, defaultModel);
    return { agents: agentOptions(agents ?? [], usual), models: modelOptions(models ?? [], chosen, model) };
  }, [agents, models, agent, usual, leadModel, defaultModel]);
}
