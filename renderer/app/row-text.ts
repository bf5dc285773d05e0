import { isLive } from '../../core/protocol/lifecycle.ts';
import type { AskRow, RunRow, SetRow } from '../../core/protocol/rows.ts';
import type { LiveState } from './live-state.ts';
import { formatMoney, formatTime } from '../shared/format.ts';
import { plainLine } from '../shared/plain-line.ts';
import { MARK_FACTS, markOf, type Mark } from '../shared/status.ts';
import { strings } from '../shared/strings.ts';
import { visibleText } from '../shared/visible-text.ts';

/** Label of a run: its own, else the first line of its goal. */
export function labelOf(run: Pick<RunRow, 'label' | 'goal'>): string {
  return run.label === null ? firstLine(run.goal) : visibleText(run.label);
}

/** The first line of a text, with what is hidden in it written out. */
export function firstLine(text: string): string {
  return visibleText(text.trim().split('\n', 1)[0]?.trim() ?? '');
}

/** Characters of label and goal that a tooltip holds. */
const HINT = 2000;

/** What a tooltip shows of a run: its label, which a row may have cut, and its goal. */
export function hintOf(run: Pick<RunRow, 'label' | 'goal'>): string {
  const label = run.label === null || run.label === run.goal ? '' : `${run.label}\n`;
  return visibleText(`${label}${run.goal}`.slice(0, HINT));
}

/** What went wrong, for a row that shows its label already (L5). */
export function failureText(run: Pick<RunRow, 'failure_text' | 'words'>): string {
  return visibleText(run.failure_text ?? run.words);
}

/** Colour of the second line of a row, as a class. */
export const TONES = {
  plain: '',
  quiet: 'text-ink-3',
  warn: 'text-warn',
  wait: 'text-wait',
  need: 'text-need font-med',
  bad: 'text-bad-text',
} as const;
export type Tone = keyof typeof TONES;

export interface SecondLine {
  readonly tone: Tone;
  readonly text: string;
  /** What a machine will run, or a path: set in mono after the text. */
  readonly code: string | null;
}

const VERB = /^(Editing|Running|Writing|Reading|Listing|Searching) (?!\d+ )(\S.*)$/;

/** Tells what a person reads from what a machine wrote: `Editing` and `src/a.ts`. */
export function activityParts(activity: string): { readonly text: string; readonly code: string | null } {
  const match = VERB.exec(activity);
  return match === null ? { text: activity, code: null } : { text: match[1] ?? '', code: match[2] ?? '' };
}

function waitingText(run: RunRow): string {
  return run.until === null ? run.words : strings.tree.waitingUntil(run.words, formatTime(run.until));
}

const words =
  (tone: Tone) =>
  (run: RunRow): SecondLine => ({ tone, text: run.words, code: null });
const waiting = (run: RunRow): SecondLine => ({ tone: 'wait', text: waitingText(run), code: null });
/** Held by a person: grey like what was stopped, the glyph says the rest (NOTES, Status set). */
const paused = (run: RunRow): SecondLine => ({ tone: 'quiet', text: run.words, code: null });

/** Second lines of the marks that neither are at work nor need anybody. */
const CALM: Partial<Record<Mark, (run: RunRow) => SecondLine>> = {
  caveat: words('warn'),
  waiting,
  paused,
  queued: words('quiet'),
  stopped: (run) => {
    const proved = run.proof?.method === 'observed';
    return { tone: 'quiet', text: proved ? strings.tree.nothingLeft(run.words) : run.words, code: null };
  },
  completed: (run) => ({ tone: 'quiet', text: visibleText(plainLine(run.summary ?? '')) || run.words, code: null }),
};

/** How far the sets are that a run waits for: `2 of 3 ended`; empty when it waits for none. */
export function childrenText(state: Pick<LiveState, 'sets' | 'setsOf'>, run: RunRow): string {
  if (run.reason !== 'children') return '';
  const sets = (state.setsOf.get(run.conversation_id) ?? []).flatMap((id) => state.sets.get(id) ?? []);
  const open = sets.filter((set) => set.parent_run_id === run.run_id && set.ended_at === null);
  if (open.length === 0) return '';
  const sum = (of: (set: SetRow) => number): number => open.reduce((total, set) => total + of(set), 0);
  return strings.tree.ended(
    sum(({ ended }) => ended),
    sum(({ count }) => count),
  );
}

/** What a row says of its pause while that has no effect yet (R9). */
function pauseText(run: Pick<RunRow, 'paused' | 'state' | 'reason'>): string {
  return run.paused && isLive(run.state) && run.reason !== 'paused' ? strings.pause.soon : '';
}

/** What a row adds to its second line: work in its worktree that nobody has applied yet (W4), or a pause to come. */
export function rowNote(run: Pick<RunRow, 'paused' | 'state' | 'reason' | 'worktree'>): string {
  return hasWorkToApply(run) ? strings.tree.toApply : pauseText(run);
}

/** Whether an ended run left work that is neither in the project nor kept as a branch nor discarded. */
function hasWorkToApply({ state, worktree }: Pick<RunRow, 'state' | 'worktree'>): boolean {
  if (isLive(state) || worktree?.state !== 'kept' || worktree.applied !== null) return false;
  // What could not be measured may be work.
  return worktree.commits !== 0 || worktree.dirty !== false;
}

/** Money of a row: its own with everything below it, each once (R6). */
export function moneyText(run: Pick<RunRow, 'total_cost_usd' | 'turns'>): string {
  return run.total_cost_usd === 0 && run.turns === 0 ? '' : formatMoney(run.total_cost_usd);
}

/** The second line of a row: the latest activity, what it waits for, what came out, or what went wrong. */
export function secondLine(run: RunRow, ask: AskRow | undefined): SecondLine {
  const mark = markOf(run);
  if (MARK_FACTS[mark].broken) return { tone: 'bad', text: failureText(run), code: null };
  if (MARK_FACTS[mark].needsYou)
    return { tone: 'need', text: run.words, code: ask === undefined ? null : firstLine(ask.detail) };
  // What it did before it was told to stop says nothing of the seconds that it has for that.
  if (run.state === 'stopping') return { tone: 'plain', text: run.words, code: null };
  const line = CALM[mark];
  return line === undefined ? { tone: 'plain', ...activityParts(visibleText(run.activity ?? run.words)) } : line(run);
}

/** `4/9`; for the only task of a set nothing (L2). */
export function placeText(run: Pick<RunRow, 'task_index'>, count: number): string {
  return run.task_index === null || count < 2 ? '' : `${run.task_index + 1}/${count}`;
}
