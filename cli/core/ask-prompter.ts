import type { ApiClient } from '../../core/host/serve/local-connection.ts';
import { oneLineOf } from '../../core/host/export/plain-words.ts';
import { inertText } from '../../core/kit/terminal-text.ts';
import type { FeedMessage } from '../../core/protocol/feed.ts';
import type { AskRow } from '../../core/protocol/rows.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { apiErrorOf } from './api-failure.ts';

type Choice = 'once' | 'run' | 'set' | 'project' | 'deny';

const CHOICES: Readonly<Record<string, Choice>> = {
  a: 'once',
  once: 'once',
  r: 'run',
  run: 'run',
  s: 'set',
  set: 'set',
  p: 'project',
  project: 'project',
  d: 'deny',
  deny: 'deny',
};
const QUESTION = 'Allow: [a] once, [r] this run, [s] this set, [p] always in this project; [d] deny > ';
/** Of a long diff the beginning; `espalier show` and the app have the whole. */
const MAX_LINES = 60;

/** Puts open permissions and questions to the person at the terminal, one after the other (A2). */
export class AskPrompter {
  readonly #terminal: Terminal;
  readonly #client: () => ApiClient;
  readonly #name: string;
  readonly #open = new Map<string, AskRow>();
  #current: { readonly id: string; readonly leave: AbortController; isSent: boolean } | null = null;
  #closed = false;

  constructor(terminal: Terminal, client: () => ApiClient, name: string) {
    this.#terminal = terminal;
    this.#client = client;
    this.#name = name;
  }

  /** Takes in what the feed says of asks. */
  take(message: FeedMessage): void {
    if (message.type === 'hello') return;
    const rows =
      message.type === 'snapshot'
        ? message.snapshot.asks
        : message.changes.flatMap((change) => (change.type === 'ask' ? [change.row] : []));
    for (const row of rows) this.#takeRow(row);
    this.#next();
  }

  #takeRow(row: AskRow): void {
    if (row.state === 'open') {
      this.#open.set(row.ask_id, row);
      return;
    }
    this.#open.delete(row.ask_id);
    // What was answered here needs no telling; had another been faster, the core would refuse it.
    if (this.#current?.id !== row.ask_id || this.#current.isSent) return;
    const by = row.answered_by === null ? 'It is not asked any more.' : `Answered by ${row.answered_by}.`;
    this.#current.leave.abort();
    this.#terminal.note(by);
  }

  #next(): void {
    const [row] = this.#open.values();
    if (row === undefined || this.#current !== null || this.#closed) return;
    const leave = new AbortController();
    this.#current = { id: row.ask_id, leave, isSent: false };
    void this.#put(row, leave.signal).finally(() => {
      this.#current = null;
      this.#open.delete(row.ask_id);
      this.#next();
    });
  }

  async #put(row: AskRow, signal: AbortSignal): Promise<void> {
    for (const line of describe(row)) this.#terminal.note(line);
    for (;;) {
      const typed = await this.#terminal.ask(row.kind === 'question' ? 'Answer > ' : QUESTION, signal);
      if (typed === null) return this.#leave(row, signal);
      const answer = row.kind === 'question' ? textOf(typed) : choiceOf(typed);
      if (answer === null) continue;
      return this.#send(row.ask_id, answer);
    }
  }

  /** Somebody else has answered, or the end of input: then it stays open, and others can answer. */
  #leave({ ask_id, kind }: AskRow, signal: AbortSignal): void {
    if (signal.aborted) return;
    const given = kind === 'question' ? 'TEXT' : 'once|run|set|project|deny';
    this.#terminal.note(`Not answered here. \`espalier answer ${ask_id} ${given}\` or the app answers it.`);
  }

  async #send(ask_id: string, answer: { choice: Choice | 'text'; note: string | null }): Promise<void> {
    if (this.#current !== null) this.#current.isSent = true;
    try {
      await this.#client().asks.answer({ ask_id, ...answer, client: this.#name });
    } catch (error) {
      // Somebody else was faster, or the core is gone, which the feed tells.
      this.#terminal.note(apiErrorOf(error)?.message ?? 'The answer did not reach the core.');
    }
  }

  /** Asks nothing any more. */
  close(): void {
    this.#closed = true;
    this.#current?.leave.abort();
  }
}

function describe(row: AskRow): string[] {
  const chain = row.chain.map(({ words }) => words).join(' › ');
  const detail = inertText(row.diff ?? row.detail).split('\n');
  const more = detail.length > MAX_LINES ? [`  … ${detail.length - MAX_LINES} more lines`] : [];
  const lines = detail.slice(0, MAX_LINES).map((line) => `  ${line}`);
  return ['', `? ${oneLineOf(row.title, 300)}${chain === '' ? '' : `  (${oneLineOf(chain, 300)})`}`, ...lines, ...more];
}

function choiceOf(typed: string): { choice: Choice; note: null } | null {
  const choice = CHOICES[typed.trim().toLowerCase()];
  return choice === undefined ? null : { choice, note: null };
}

function textOf(typed: string): { choice: 'text'; note: string } | null {
  return typed.trim() === '' ? null : { choice: 'text', note: typed };
}
