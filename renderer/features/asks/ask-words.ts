import type { AskRow } from '../../../core/protocol/rows.ts';
import { runStrings } from '../../shared/run-strings.ts';

/** How an open ask can be answered: scopes of consent, a refusal, a text. */
export type Choice = 'once' | 'run' | 'set' | 'project' | 'deny' | 'text';

export interface AskChoice {
  readonly choice: Choice;
  readonly label: string;
  readonly key: string;
}

const words = runStrings.asks;

/** The consents that can be given to a permission, in order; of a run outside every set there is no set to consent to. */
export function consents(set: number | null, project: string): readonly AskChoice[] {
  return [
    { choice: 'once', label: words.once, key: 'a' },
    { choice: 'run', label: words.run, key: 'r' },
    ...(set === null ? [] : [{ choice: 'set', label: words.set(set), key: 's' } as const]),
    { choice: 'project', label: words.always(project), key: 'p' },
  ];
}

/** `4 min 12 s`, `1 h 05 min`: how long an ask has waited. Both in epoch milliseconds. */
export function waitWords(since: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - since) / 1000));
  if (seconds < 60) return `${seconds} s`;
  const two = (value: number): string => value.toString().padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${two(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}

/** What became of an ask, for those who did not answer it themselves. */
export function settledWords(ask: Pick<AskRow, 'state' | 'choice' | 'note' | 'answered_by'>): string {
  if (ask.state === 'closed') return words.closed;
  const choice = ask.choice ?? '';
  const note = ask.note ?? '';
  const known = Object.hasOwn(words.choices, choice) ? words.choices[choice as Choice] : choice;
  const what = choice === 'deny' && note !== '' ? words.denied(note) : known;
  return ask.answered_by === null ? what : `${what} ${words.by(ask.answered_by)}`;
}

/** The lines of a detail that a shell would run, or null if it is something else. */
export function commandLines(ask: Pick<AskRow, 'tool' | 'detail'>): readonly string[] | null {
  return ask.tool !== null && /^(?:bash|shell|execute|run_shell_command|command)$/i.test(ask.tool)
    ? ask.detail.split('\n')
    : null;
}
