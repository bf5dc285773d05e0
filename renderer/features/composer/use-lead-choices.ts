import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AgentListed } from '../../../core/protocol/agents.ts';
import type { NamedModel } from '../../../core/protocol/named-model.ts';
import { api } from '../../app/client.ts';
import { useApp, useConversation, useRun } from '../../app/live-rows.ts';
import { useDefaultModel, useModels } from '../../app/named-models.ts';
import { agentLabel } from '../../shared/agent-label.ts';
import { priceWords } from '../../shared/price-words.ts';
import { startStrings } from '../../shared/start-strings.ts';
import type { SelectOption } from '../../ui/select.tsx';

const words = startStrings.composer;

/** Who can lead, and with which model; the first of each is what holds without a choice. */
export interface LeadChoices {
  readonly agents: readonly SelectOption[];
  /** Empty for an agent without a choice of ours. */
  readonly models: readonly SelectOption[];
  /** The price of the model that holds now, in words; empty when it is unknown or is the agent's own affair. */
  readonly price: string;
  /** The agent needs a model of ours and there is none: a message would be refused. */
  readonly lacksModel: boolean;
}

const afterSlash = (ref: string): string => ref.slice(ref.indexOf('/') + 1);

const isBuiltin = (agent: AgentListed | undefined): boolean => agent === undefined || agent.runner === 'builtin';

function modelOf(agent: AgentListed | undefined, ofLead: string | null, ofSettings: string | null): string | null {
  return ofLead ?? agent?.model ?? (isBuiltin(agent) ? ofSettings : null);
}

/** A program cannot lead: it hears no messages. */
function agentOptions(agents: readonly AgentListed[], usual: string): readonly SelectOption[] {
  const own = agents.find(({ id }) => id === usual);
  const others = agents.filter(({ id, runner }) => id !== usual && runner !== 'command');
  const first = { value: '', label: own === undefined ? usual : agentLabel(own) };
  return [first, ...others.map((agent) => ({ value: agent.id, label: agentLabel(agent) }))];
}

function modelOptions(
  models: readonly NamedModel[],
  agent: AgentListed | undefined,
  model: string | null,
): readonly SelectOption[] {
  const none = isBuiltin(agent) ? words.noModel : words.ownModel;
  const others = isBuiltin(agent) ? models.filter(({ ref, has_key }) => has_key && ref !== model) : [];
  return [
    { value: '', label: model === null ? none : afterSlash(model) },
    ...others.map(({ ref }) => ({ value: ref, label: afterSlash(ref) })),
  ];
}

/** The choices for the next message; `choice` is what was chosen for it, or empty. */
export function useLeadChoices(
  projectId: string | null,
  conversationId: string | null,
  { agent, model: ofMessage }: { readonly agent: string; readonly model: string },
): LeadChoices {
  const agents = useQuery(api.agents.list.queryOptions()).data;
  const models = useModels(projectId);
  const defaultModel = useDefaultModel(projectId);
  const app = useApp();
  const lead = useRun(useConversation(conversationId)?.lead_run_id ?? null);
  const usual = lead?.agent ?? app?.default_agent ?? 'general';
  const leadModel = lead?.model ?? null;
  const isKnown = app !== null && agents !== undefined;
  return useMemo(() => {
    const chosen = agents?.find(({ id }) => id === (agent === '' ? usual : agent));
    // Another agent has a model of its own.
    const model = modelOf(chosen, agent === '' ? leadModel : null, defaultModel);
    const used = ofMessage === '' ? model : ofMessage;
    return {
      agents: agentOptions(agents ?? [], usual),
      models: modelOptions(models, chosen, model),
      price: priceWords(isBuiltin(chosen) ? models.find(({ ref }) => ref === used)?.price : null),
      lacksModel: isKnown && isBuiltin(chosen) && used === null,
    };
  }, [agents, models, agent, usual, leadModel, defaultModel, ofMessage, isKnown]);
}
