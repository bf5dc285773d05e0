import type { RunRow } from '../../../core/protocol/rows.ts';
import { visibleText } from '../../shared/visible-text.ts';

/** What stands between an `@` and the caret. */
export interface Token {
  /** Where the `@` is. */
  readonly start: number;
  readonly query: string;
}

/** The beginning of a reference before the caret; null in the middle of a word, as in an address. */
export function tokenAt(text: string, caret: number): Token | null {
  const found = /(?:^|[\s(“"'])@([^\s@"]{0,200})$/u.exec(text.slice(0, caret));
  if (found === null) return null;
  const query = found[1] ?? '';
  return { start: caret - query.length - 1, query };
}

/** The text with what was chosen in place of the token, and where the caret is then. */
export function complete(
  text: string,
  token: Token,
  caret: number,
  chosen: string,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(caret);
  const added = `${chosen}${/^\s/.test(rest) ? '' : ' '}`;
  return { text: text.slice(0, token.start) + added + rest, caret: token.start + chosen.length + 1 };
}

/** One thing that can be named. */
export interface Candidate {
  readonly kind: 'file' | 'agent' | 'run';
  /** Names it in the list. */
  readonly key: string;
  /** As it is shown. */
  readonly text: string;
  /** What is written into the message. */
  readonly insert: string;
}

/** A path as it is written into a message; one with spaces, quotes or line ends as a JSON text, so that its end is clear. */
export const fileReference = (path: string): string =>
  /[\s"'@\p{Cc}]/u.test(path) ? `@${JSON.stringify(path)}` : `@${path}`;

const nameOf = ({ label, goal }: Pick<RunRow, 'label' | 'goal'>): string =>
  (label ?? goal.trim().split('\n', 1)[0] ?? '').slice(0, 120);

/** Lines of the list: enough to choose from, few enough to see. */
const MOST = { agent: 4, run: 4, all: 10 } as const;

/** What answers to a query: agents and runs whose name holds it, then the files that the core found. */
export function candidates(
  query: string,
  known: {
    readonly agents: readonly string[];
    readonly runs: readonly Pick<RunRow, 'run_id' | 'label' | 'goal' | 'tag' | 'lead'>[];
    readonly files: readonly string[];
  },
): readonly Candidate[] {
  const folded = query.toLocaleLowerCase();
  const answers = (text: string): boolean => text.toLocaleLowerCase().includes(folded);
  const agents = known.agents
    .filter(answers)
    .slice(0, MOST.agent)
    .map((id): Candidate => ({ kind: 'agent', key: `agent ${id}`, text: visibleText(id), insert: `@${id}` }));
  const runs = known.runs
    .filter((run) => !run.lead && answers(`${nameOf(run)} ${run.tag}`))
    .slice(0, MOST.run)
    .map((run): Candidate => {
      const text = `${run.tag} ${nameOf(run)}`.trim();
      return { kind: 'run', key: `run ${run.run_id}`, text: visibleText(text), insert: text };
    });
  const files = known.files.map((path): Candidate => ({
    kind: 'file',
    key: `file ${path}`,
    text: visibleText(path),
    insert: fileReference(path),
  }));
  // A path is meant where a part of one was typed.
  const all = /[/.]/.test(query) ? [...files, ...agents, ...runs] : [...agents, ...runs, ...files];
  return all.slice(0, MOST.all);
}
