import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
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
    const builtin = chosen === undefined || chosen.runner === 'builtin';
    const ofSettings = builtin ? defaultModel : null;
    const model = (agent === '' ? leadModel : null) ?? chosen?.model ?? ofSettings;
    const none = builtin ? words.noModel : words.ownModel;
    return {
      // A program cannot lead: it hears no messages.
      agents: [
        { value: '', label: usual },
        ...(agents ?? [])
          .filter(({ id, runner }) => id !== usual && runner !== 'command')
          .map(({ id }) => ({ value: id, label: id })),
      ],
      models: [
        { value: '', label: model === null ? none : afterSlash(model) },
        ...(builtin ? (models ?? []) : [])
          .filter(({ ref, has_key }) => has_key && ref !== model)
          .map(({ ref }) => ({ value: ref, label: afterSlash(ref) })),
      ],
    };
  }, [agents, models, agent, usual, leadModel, defaultModel]);
}
