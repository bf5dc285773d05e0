import type { SentPrompt } from '../../../core/protocol/sent-prompt.ts';
import { inspectStrings } from '../../shared/inspect-strings.ts';

const words = inspectStrings.prompt;

/** Who speaks, in words; a role that is not known is shown as itself. */
export const roleWords = (role: string): string => words.roles[role] ?? role;

/** The first line of a tool's description. */
export const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? '';

/** The whole of what was sent, as it is copied. */
export function promptJson({ at, model, system, messages, tools }: SentPrompt): string {
  return JSON.stringify({ sent_at: new Date(at).toISOString(), model, system, messages, tools }, null, 2);
}

/** Everything of a prompt that the page can show: so many matches a search has. */
export function countMatches(prompt: SentPrompt, query: string): number {
  const wanted = query.trim().toLocaleLowerCase();
  if (wanted === '') return 0;
  const texts = [
    prompt.system,
    ...prompt.messages.map(({ text }) => text),
    ...prompt.tools.flatMap(({ name, description, schema }) => [name, description, JSON.stringify(schema, null, 2)]),
  ];
  return texts.reduce((sum, text) => sum + occurrences(text.toLocaleLowerCase(), wanted), 0);
}

function occurrences(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) count += 1;
  return count;
}
