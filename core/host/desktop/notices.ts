import { taskName } from '../../delegation/lines/set-lines.ts';
import { isFailure } from '../../delegation/set-status.ts';
import type { Notice } from '../../protocol/desktop.ts';
import type { AskRow, RunRow, SetRow } from '../../protocol/rows.ts';
import type { RoutedChange } from '../engine/flush.ts';
import { noticeLine, setCounts } from './notice-text.ts';

/** What the person wants, and what they are looking at. */
export interface NoticeContext {
  readonly now: number;
  readonly doNotDisturb: boolean;
  /** Nothing of tasks, questions or errors is written into a notice. */
  readonly hideContent: boolean;
  /** The person wants to hear nothing of the project of this conversation. */
  readonly isMuted: (conversationId: string) => boolean;
  /** The conversation that is on screen in a window that has the focus; null for none. */
  readonly looksAt: string | null;
  /** Masks known secrets. */
  readonly redact: (text: string) => string;
}

/** What was told so far, and what still waits to be told together. */
export interface NoticeState {
  /** Sets that were seen at work. */
  readonly running: ReadonlySet<string>;
  /** Asks that were told. */
  readonly asks: ReadonlySet<string>;
  /** Failed runs that were told, or wait in `failures`. */
  readonly failed: ReadonlySet<string>;
  readonly failures: readonly RunRow[];
  /** When the failures are told; null without any. */
  readonly tellAt: number | null;
}

export const NO_NOTICES: NoticeState = {
  running: new Set(),
  asks: new Set(),
  failed: new Set(),
  failures: [],
  tellAt: null,
};

/** What is there when the desktop begins to look: it is on the screen that just opens, and not told once more. */
export function alreadyKnown(rows: {
  readonly sets: readonly SetRow[];
  readonly asks: readonly AskRow[];
  readonly runs: readonly RunRow[];
}): NoticeState {
  return {
    ...NO_NOTICES,
    running: new Set(rows.sets.filter((row) => row.ended_at === null).map((row) => row.delegation_id)),
    asks: new Set(rows.asks.filter(({ state }) => state === 'open').map(({ ask_id }) => ask_id)),
    failed: new Set(rows.runs.filter(isFailure).map(({ run_id }) => run_id)),
  };
}

/** Failures that come within this time are told as one. */
const MERGE_MS = 2_000;

/**
 * Decides what is told of some changes. One notice for each end of a set, with its counts; one for each question or permission, at once; failures
 * merged, and not at all when their set has ended meanwhile, whose notice counts them; nothing for the conversation that somebody looks at.
 * `tellAt` of the new state says when {@link tellFailures} is due.
 */
export function decideNotices(
  state: NoticeState,
  changes: readonly RoutedChange[],
  context: NoticeContext,
): { readonly state: NoticeState; readonly notices: readonly Notice[] } {
  let next = state;
  const notices: Notice[] = [];
  for (const { change } of changes) {
    if (change.type === 'set') next = takeSet(next, change.row, context, notices);
    else if (change.type === 'ask') next = takeAsk(next, change.row, context, notices);
    else if (change.type === 'run') next = takeRun(next, change.row, context.now);
  }
  return { state: next, notices };
}

/** The failures that have waited long enough, as one notice. */
export function tellFailures(
  state: NoticeState,
  context: NoticeContext,
): { readonly state: NoticeState; readonly notices: readonly Notice[] } {
  if (state.tellAt === null || context.now < state.tellAt) return { state, notices: [] };
  const told = state.failures.filter((run) => mayTell(run.conversation_id, context));
  const [first] = told;
  const quiet = { ...state, failures: [], tellAt: null };
  return { state: quiet, notices: first === undefined ? [] : [failureNotice(first, told, context)] };
}

function mayTell(conversationId: string, context: NoticeContext): boolean {
  return !context.doNotDisturb && context.looksAt !== conversationId && !context.isMuted(conversationId);
}

function takeSet(state: NoticeState, set: SetRow, context: NoticeContext, notices: Notice[]): NoticeState {
  const { delegation_id: id, conversation_id } = set;
  if (set.ended_at === null) {
    return state.running.has(id) ? state : { ...state, running: new Set(state.running).add(id) };
  }
  if (!state.running.has(id)) return state; // Ended before we looked, or told already.
  const running = new Set(state.running);
  running.delete(id);
  const failures = state.failures.filter((run) => run.delegation_id !== id);
  const next = { ...state, running, failures, tellAt: failures.length === 0 ? null : state.tellAt };
  if (!mayTell(conversation_id, context)) return next;
  const name = set.title === null || context.hideContent ? `set ${set.set}` : `set ${set.set}: ${set.title}`;
  notices.push({
    type: 'set_ended',
    title: noticeLine(`${name} has ended`, context.redact),
    body: setCounts(set),
    target: { conversation_id, delegation_id: id, run_id: null },
  });
  return next;
}

function takeAsk(state: NoticeState, ask: AskRow, context: NoticeContext, notices: Notice[]): NoticeState {
  if (ask.state !== 'open') {
    if (!state.asks.has(ask.ask_id)) return state;
    const asks = new Set(state.asks);
    asks.delete(ask.ask_id);
    return { ...state, asks };
  }
  if (state.asks.has(ask.ask_id)) return state;
  const next = { ...state, asks: new Set(state.asks).add(ask.ask_id) };
  if (!mayTell(ask.conversation_id, context)) return next;
  const title = ask.kind === 'permission' ? 'A run asks for permission' : 'A run has a question';
  notices.push({
    type: 'needs_you',
    title,
    body: context.hideContent
      ? 'Open it to see what it is.'
      : noticeLine(`${ask.title}: ${ask.detail}`, context.redact),
    target: { conversation_id: ask.conversation_id, delegation_id: null, run_id: ask.run_id },
  });
  return next;
}

function takeRun(state: NoticeState, run: RunRow, now: number): NoticeState {
  if (!isFailure(run) || run.seen || run.retried_by !== null || state.failed.has(run.run_id)) return state;
  return {
    ...state,
    failed: new Set(state.failed).add(run.run_id),
    failures: [...state.failures, run],
    tellAt: state.tellAt ?? now + MERGE_MS,
  };
}

function failureNotice(first: RunRow, all: readonly RunRow[], { hideContent, redact }: NoticeContext): Notice {
  const { conversation_id, delegation_id, run_id } = first;
  const one = all.length === 1;
  const names = all.slice(0, 3).map((run) => taskName(run, 40));
  const rest = all.length > names.length ? ` and ${all.length - names.length} more` : '';
  const said = one ? (first.failure_line ?? first.words) : `${names.join(', ')}${rest}`;
  return {
    type: 'failed',
    title: one ? 'A run has failed' : `${all.length} runs have failed`,
    body: hideContent ? 'Open it to see which.' : noticeLine(said, redact),
    // Several: the first of them; the others stand beside it or in *Needs you*.
    target: { conversation_id, delegation_id, run_id: one ? run_id : delegation_id === null ? run_id : null },
  };
}
