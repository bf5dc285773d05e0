import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { AgentFieldChanges, AgentReview } from '../../../core/protocol/agents.ts';
import { api, core, describeFailure, queryClient } from '../../app/client.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import type { AgentDraft } from './agent-draft.ts';

const words = settingsStrings.agents;

/** A change that a form makes. */
export interface FormChange {
  readonly set?: AgentFieldChanges;
  readonly drop?: readonly string[];
  readonly body?: string;
}

export interface AgentEditor {
  readonly text: string;
  /** A change of the form is on its way into the text: what is typed into it now would stand beside that. */
  readonly busy: boolean;
  /** Undefined until it was looked at. */
  readonly review: AgentReview | undefined;
  /** Why the last change or saving did not go, in words. */
  readonly problem: string | null;
  readonly setText: (text: string) => void;
  /** Changes fields, one change after the other. */
  readonly change: (change: FormChange) => Promise<void>;
  readonly save: (projectId: string | null) => Promise<boolean>;
}

/** Lists of agents are read again. */
export function agentsChanged(): void {
  for (const list of [api.agents.list, api.agents.files]) void queryClient.invalidateQueries({ queryKey: list.key() });
}

/** Edits one definition as its text; the core reviews each state of it and says where it may lie. */
export function useAgentEditor(draft: AgentDraft): AgentEditor {
  const [text, showText] = useState(draft.text);
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, setPending] = useState(0);
  const now = useRef(draft.text);
  const turn = useRef<Promise<unknown>>(Promise.resolve());
  const input = { project_id: draft.projectId, path: draft.path ?? 'agent', text };
  const review = useQuery({ ...api.agents.review.queryOptions({ input }), placeholderData: keepPreviousData }).data;
  const setText = (next: string): void => {
    now.current = next;
    showText(next);
  };
  const changeNow = async ({ set = {}, drop, body }: FormChange): Promise<void> => {
    try {
      const more = { ...(drop === undefined ? {} : { drop: [...drop] }), ...(body === undefined ? {} : { body }) };
      setText((await core.agents.edit({ text: now.current, set, ...more })).text);
      setProblem(null);
    } catch (error) {
      setProblem(describeFailure(error).message);
    }
  };
  const change = (next: FormChange): Promise<void> => {
    setPending((count) => count + 1);
    const done = turn.current.then(() => changeNow(next)).finally(() => setPending((count) => count - 1));
    turn.current = done;
    return done;
  };
  const save = async (project_id: string | null): Promise<boolean> => {
    await turn.current;
    const target = draft.path ?? nameIn(now.current);
    if (target === null) {
      setProblem(words.nameWrong);
      return false;
    }
    try {
      await core.agents.save({ project_id, path: target, text: now.current, digest: draft.digest });
      agentsChanged();
      return true;
    } catch (error) {
      setProblem(describeFailure(error).message);
      return false;
    }
  };
  return { text, busy: pending > 0, review, problem, setText, change, save };
}

/** The name that a text gives itself, if a file can be called so. */
function nameIn(text: string): string | null {
  return /^name:[ \t]*["']?([A-Za-z0-9_-]{1,64})["']?[ \t]*(?:#.*)?$/m.exec(text)?.[1] ?? null;
}
