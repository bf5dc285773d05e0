/** One item of the list: its goal and the indented lines below it. */
interface Item {
  readonly goal: string;
  readonly ticked: boolean;
  readonly below: string[];
}

/** What a Markdown file says. `context` of a task is the prose of the file, then its own indented lines. */
export interface MarkdownBatch {
  readonly title: string | null;
  readonly tasks: { goal: string; context?: string }[];
  readonly skipped: number;
}

interface State {
  title: string | null;
  readonly items: Item[];
  readonly prose: string[];
  /** The item that indented lines belong to. */
  current: Item | null;
  /** Indentation of the first item; deeper ones are context of theirs. */
  base: number | null;
  /** The fence of an open code block between the items: nothing in it is an item. */
  fence: string | null;
}

const ITEM = /^( {0,3})(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(.*)|)$/;
const CHECKBOX = /^\[([ xX])\](?:[ \t]+(.*)|)$/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

function itemOf(line: string, base: number | null): Item | null {
  const [matched, indent = '', text = ''] = ITEM.exec(line) ?? [];
  if (matched === undefined || indent.length > (base ?? 3)) return null;
  const [box, tick = '', goal = ''] = CHECKBOX.exec(text.trim()) ?? [];
  return { goal: (box === undefined ? text : goal).trim(), ticked: tick.toLowerCase() === 'x', below: [] };
}

/** A paragraph that is underlined with `=` or `-` is a heading too. */
function takeUnderlined(state: State): boolean {
  const above = state.prose.at(-1);
  if (state.title !== null || above === undefined || above.trim() === '') return false;
  state.prose.pop();
  state.title = above.trim();
  return true;
}

function takeFenced(state: State, fence: string, line: string): void {
  state.prose.push(line);
  const text = line.trim();
  if (text.startsWith(fence) && /^(?:`+|~+)$/.test(text)) state.fence = null;
}

/** Takes a line that is a title, or a rule between parts; false when it is neither. */
function takeTitleOrRule(state: State, line: string, belowItem: boolean): boolean {
  if (UNDERLINE.test(line) && !belowItem && takeUnderlined(state)) return true;
  if (RULE.test(line)) return true;
  const heading = state.title === null ? HEADING.exec(line) : null;
  if (!heading) return false;
  state.title = heading[1]?.trim() || null;
  return true;
}

function takeProse(state: State, line: string): void {
  const belowItem = state.current !== null;
  if (line.trim() !== '') state.current = null;
  if (state.fence !== null) return takeFenced(state, state.fence, line);
  if (takeTitleOrRule(state, line, belowItem)) return;
  state.fence = FENCE.exec(line)?.[1] ?? null;
  state.prose.push(line);
}

function takeLine(state: State, line: string): void {
  const indented = /^[ \t]/.test(line);
  const item = state.fence !== null || RULE.test(line) ? null : itemOf(line, state.base);
  if (item !== null) {
    state.items.push(item);
    state.current = item;
    state.base ??= line.search(/\S/);
  } else if (state.current !== null && (indented || line.trim() === '')) {
    state.current.below.push(line);
  } else {
    takeProse(state, line);
  }
}

/** The lines without the empty ones at both ends, and without the indentation that all of them share. */
function block(lines: readonly string[]): string {
  const used = lines.map((line) => line.replace(/^[ \t]+/, (space) => space.replace(/\t/g, '    ')).trimEnd());
  const indents = used.filter((line) => line !== '').map((line) => line.search(/\S/));
  const shared = indents.reduce((least, indent) => Math.min(least, indent), Infinity);
  return used
    .map((line) => line.slice(Math.min(shared, line.length)))
    .join('\n')
    .replace(/^\n+|\n+$/g, '');
}

/**
 * The tasks of a Markdown file (S2): each top-level list item is a goal, ticked ones are skipped and counted, lines
 * indented below an item are its context, the first heading is the title, all other prose is context of every task.
 */
export function parseMarkdown(text: string): MarkdownBatch {
  const state: State = { title: null, items: [], prose: [], current: null, base: null, fence: null };
  for (const line of text.split('\n')) takeLine(state, line);
  const prose = block(state.prose);
  const tasks = state.items
    .filter((item) => !item.ticked)
    .map(({ goal, below }) => {
      const context = [prose, block(below)].filter((part) => part !== '').join('\n\n');
      return context === '' ? { goal } : { goal, context };
    });
  return { title: state.title, tasks, skipped: state.items.filter((item) => item.ticked).length };
}
