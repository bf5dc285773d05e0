import { isLive } from '../../../core/protocol/lifecycle.ts';
import type { Gate } from '../../../core/protocol/pause.ts';
import type { RunRow } from '../../../core/protocol/rows.ts';
import { formatMoney, formatTime } from '../../shared/format.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { MARK_FACTS, markOf, type Mark } from '../../shared/status.ts';
import { strings } from '../../shared/strings.ts';

export type HeaderTone = 'live' | 'wait' | 'need' | 'warn' | 'bad' | 'quiet';

export interface HeaderWords {
  readonly tone: HeaderTone;
  /** Where the run stands. */
  readonly status: string;
  /** What it does, why it waits, or what went wrong. */
  readonly detail: string;
}

const TONES: Readonly<Record<Mark, HeaderTone>> = {
  completed: 'quiet',
  caveat: 'warn',
  failed: 'bad',
  timed_out: 'bad',
  lost: 'bad',
  stopped: 'quiet',
  running: 'live',
  permission: 'need',
  question: 'need',
  waiting: 'wait',
  paused: 'quiet',
  queued: 'quiet',
};

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

function detailOf(run: RunRow, mark: Mark): string {
  if (MARK_FACTS[mark].broken) return run.failure_text ?? run.error ?? '';
  if (MARK_FACTS[mark].needsYou) return runStrings.inspector.asks;
  if (run.until !== null) return runStrings.inspector.until(formatTime(run.until));
  if (run.state === 'stopping') return '';
  if (mark === 'running' && run.activity !== null && run.activity !== run.words) return lowered(run.activity);
  return '';
}

/** The second line of the inspector: the state in words, and why. */
export function headerWords(run: RunRow): HeaderWords {
  const mark = markOf(run);
  return { tone: TONES[mark], status: run.words, detail: detailOf(run, mark) };
}

/** `[set 1 · 4/9]` without its brackets. */
const tagWords = (tag: string): string => tag.replaceAll(/^\[|\]$/g, '');

/** `anthropic/claude-sonnet-4-5` without the provider. */
export const modelWords = (model: string): string => model.slice(model.indexOf('/') + 1);

/** The third line: where the run belongs and how it is executed. */
export function placeWords(run: RunRow): readonly string[] {
  const words = runStrings.inspector;
  return [
    run.lead ? words.lead : tagWords(run.tag),
    run.agent,
    run.model === null ? '' : modelWords(run.model),
    run.isolation === 'worktree' ? words.worktree : '',
    run.attempts > 1 ? words.attempt(run.attempts) : '',
  ].filter((part) => part !== '');
}

/** Turns so far; with the limit while it can still be reached. */
export function turnWords(run: Pick<RunRow, 'turns' | 'max_turns' | 'state'>): string {
  const words = runStrings.inspector;
  return isLive(run.state) ? words.turns(run.turns, run.max_turns) : words.turnsTaken(run.turns);
}

/** What keeps a held run from going on: the nearest closed gate. Empty while nothing does. */
export function heldWords(run: Pick<RunRow, 'run_id' | 'reason'>, gates: readonly Gate[]): string {
  const [nearest] = gates;
  if (nearest === undefined || run.reason !== 'paused') return '';
  const { heldBy } = strings.pause;
  const what = nearest.type === 'run' && nearest.id !== run.run_id ? heldBy.above : heldBy[nearest.type];
  return runStrings.inspector.heldBy(what);
}

/** What the money of a run is made of, as a tooltip (R5, R6). */
export function moneyTitle(
  run: Pick<RunRow, 'cost_usd' | 'total_cost_usd' | 'cost_status' | 'max_cost_usd' | 'in_flight'>,
): string {
  const words = runStrings.inspector;
  const held = run.in_flight?.cost_usd ?? 0;
  return [
    run.max_cost_usd === null ? costTitle(run) : words.moneyTitle,
    run.cost_usd !== null && run.total_cost_usd !== null && run.total_cost_usd > run.cost_usd
      ? words.withBelow(formatMoney(run.cost_usd))
      : '',
    held > 0 ? words.held(formatMoney(held)) : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Where the cost comes from. */
function costTitle(run: Pick<RunRow, 'cost_status' | 'max_cost_usd'>): string {
  const words = runStrings.inspector;
  switch (run.cost_status) {
    case 'reported':
      return words.reported;
    case 'estimated':
      return words.estimated;
    case 'included':
      return words.included;
    case 'unknown':
      return words.noPrice;
  }
}
