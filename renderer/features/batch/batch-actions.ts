import type { BatchProblem } from '../../../core/protocol/errors.ts';
import { byLastUse } from '../../../core/protocol/order.ts';
import { attempt, clientToken, core, describeFailure, expectedFailure } from '../../app/client.ts';
import { useLive } from '../../app/live.ts';
import { useUi } from '../../app/ui-store.ts';
import { showBegun } from '../../app/window-size.ts';
import { startStrings } from '../../shared/start-strings.ts';
import {
  addReadFailure,
  countReading,
  dispatchToken,
  dropReadFailures,
  edit,
  forgetDraft,
  openEditor,
  setProblems,
  setStarting,
  useBatch,
} from './batch-store.ts';
import { append, isRecord, toBatch } from './draft.ts';
import { problemsByRow } from './problems.ts';

const words = startStrings.batch;

/** The project that a batch without one goes to: of the open conversation, the chosen one, or the last used. */
export function currentPlace(): { readonly project: string | null; readonly conversation: string | null } {
  const { conversation: open, project: chosen } = useUi.getState();
  const { conversations, projects } = useLive.getState();
  const conversation = open === null ? undefined : conversations.get(open);
  if (conversation !== undefined) {
    return { project: conversation.project_id, conversation: conversation.conversation_id };
  }
  if (chosen !== null && projects.has(chosen)) return { project: chosen, conversation: null };
  const [last] = [...projects.values()].sort(byLastUse);
  return { project: last?.project_id ?? null, conversation: null };
}

const hasTasks = (batch: unknown): boolean =>
  Array.isArray(batch) || (isRecord(batch) && Array.isArray(batch['tasks']) && batch['tasks'].length > 0);

/** What the core says is wrong with a text, with its places and what to do; else why it could not be asked. */
export function whyUnread(error: unknown): readonly Pick<BatchProblem, 'message' | 'fix'>[] {
  const problems = expectedFailure(error)?.problems ?? [];
  return problems.length > 0 ? problems : [{ message: describeFailure(error).message, fix: '' }];
}

/** Reads a text in any form of a batch and adds its tasks to the draft; answers whether there were any. */
export async function addText(text: string, name: string | null): Promise<boolean> {
  const { project } = useBatch.getState();
  countReading(1);
  try {
    const parsed = await core.batches.parse({ project_id: project, text, name });
    if (hasTasks(parsed.batch)) {
      edit((draft) => append(draft, parsed, name));
      return true;
    }
    for (const problem of parsed.problems.slice(0, 1)) addReadFailure(name ?? words.pasted, problem);
  } catch (error) {
    for (const problem of whyUnread(error)) addReadFailure(name ?? words.pasted, problem);
  } finally {
    countReading(-1);
  }
  return false;
}

/** A text with the name of the file that it came from; null when it was pasted. */
export interface NamedText {
  readonly text: string;
  readonly name: string | null;
}

/** Opens the editor for a set that is at work, with the draft that is kept for it. */
export function openForSet(id: string, fresh: boolean): void {
  const { sets, conversations } = useLive.getState();
  const row = sets.get(id);
  if (row === undefined) return;
  openEditor(conversations.get(row.conversation_id)?.project_id ?? null, row.conversation_id, fresh, id);
}

/** Opens the editor where the user is; one that is open stays as it is. */
export function openHere(fresh: boolean): void {
  if (useBatch.getState().open) return;
  const place = currentPlace();
  openEditor(place.project, place.conversation, fresh);
}

/** Opens the editor where the user is, or for a set, and adds what was dropped or pasted, in its order. */
export async function takeTexts(texts: readonly NamedText[], into: string | null = null): Promise<void> {
  if (into !== null) openForSet(into, texts.length > 0);
  else openHere(texts.length > 0);
  dropReadFailures();
  for (const { text, name } of texts) await addText(text, name);
}

/** Runs the batch as a set, or adds its tasks to one, and shows it. A second press while the first is under way does nothing (S7). */
export async function runBatch(): Promise<void> {
  const { starting, project, conversation, into, draft } = useBatch.getState();
  if (starting || project === null || draft.rows.length === 0) return;
  const said = { batch: toBatch(draft), client_token: dispatchToken(clientToken) };
  setStarting(true);
  await attempt(into === null ? words.runFailed : words.addFailed, async () => {
    try {
      const answer =
        into === null
          ? await core.batches.dispatch({ project_id: project, conversation_id: conversation, ...said })
          : await core.sets.add({ delegation_id: into, ...said });
      forgetDraft();
      showBegun(answer);
    } catch (error) {
      const found = expectedFailure(error)?.problems ?? [];
      if (found.length > 0)
        setProblems(
          problemsByRow(
            found,
            draft.rows.map(({ key }) => key),
          ),
        );
      throw error;
    }
  });
  setStarting(false);
}
