import { inertText, plainText } from '../../kit/terminal-text.ts';
import { EntryMeta, type Entry } from '../../protocol/entry.ts';
import { oneLineOf } from './plain-words.ts';

interface Form {
  /** A line above the text, if the entry has one. */
  readonly head: string | null;
  /** Before each line of the text. */
  readonly indent: string;
}

function formOf(entry: Entry): Form {
  const meta = EntryMeta.safeParse(entry.meta).data;
  // A type of a newer build is shown as itself (T7).
  if (meta === undefined) return { head: `[${oneLineOf(entry.meta.type, 40)}]`, indent: '  ' };
  switch (meta.type) {
    case 'user':
      return { head: `> ${meta.origin.replace('_', ' ')}`, indent: '> ' };
    case 'text':
      return { head: null, indent: '' };
    case 'reasoning':
      return { head: '(thinking)', indent: '  ' };
    case 'tool_call':
      return { head: `● ${oneLineOf(meta.title, 120)}`, indent: '  ' };
    case 'plan':
      return { head: ['Plan:', ...meta.steps.map(planLine)].join('\n'), indent: '' };
    case 'subagent':
      return { head: `◇ ${oneLineOf(meta.title, 80)} (seen inside the agent, not controlled by us)`, indent: '    ' };
    case 'output':
      return { head: null, indent: meta.stream === 'stderr' ? '! ' : '' };
    case 'notice':
      return { head: null, indent: '! ' };
  }
}

const MARKS = { pending: '○', in_progress: '◐', completed: '●' } as const;

function planLine({ text, status }: Extract<EntryMeta, { type: 'plan' }>['steps'][number]): string {
  return `  ${MARKS[status]} ${oneLineOf(text, 160)}`;
}

/** Prints one entry after the other as text, also while it grows: whole lines at once, the rest when it has ended. */
export class EntryText {
  #number = -1;
  #shown = 0;

  /** What is new of the entry since the last call; call it with the same entry until it has ended. */
  take(entry: Entry, isLast: boolean): string {
    const form = formOf(entry);
    const fresh = this.#number !== entry.entry;
    if (fresh) this.#shown = 0;
    this.#number = entry.entry;
    const rest = entry.text.slice(this.#shown);
    const ready = isLast ? rest : rest.slice(0, rest.lastIndexOf('\n') + 1);
    this.#shown += ready.length;
    const head = fresh && form.head !== null ? `${form.head}\n` : '';
    return head + indented(isOutput(entry) ? plainText(ready) : inertText(ready), form.indent);
  }
}

/** What programs write may redraw its lines; words that do so hide something. */
function isOutput({ meta }: Entry): boolean {
  return meta.type === 'output' || meta.type === 'tool_call';
}

function indented(text: string, indent: string): string {
  if (text === '') return '';
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.map((line) => `${(indent + line).trimEnd()}\n`).join('');
}

/** A whole entry as text. */
export function entryText(entry: Entry): string {
  return new EntryText().take(entry, true);
}
