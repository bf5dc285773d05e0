import type { Outcome, Verdict } from '../protocol/outcome.ts';
import type { AcceptanceResult } from '../protocol/result-entry.ts';
import { stateWords } from '../protocol/lifecycle.ts';
import type { RunRow } from '../protocol/rows.ts';

const OUTCOME_WORDS: Record<Outcome, string> = {
  completed: 'Completed',
  failed: 'Failed',
  stopped: 'Stopped',
  timed_out: 'Timed out',
  lost: 'Lost',
};

const LIMIT_WORDS: { readonly [reason in Verdict['exit_reason']]?: string } = {
  max_turns: 'turn limit reached',
  max_tool_calls: 'tool-call limit reached',
  max_tokens: 'token limit reached',
  budget: 'money limit reached',
  dependency: 'a task it depends on was not completed',
  stalled: 'no progress',
  process_died: 'its process died',
  not_started: 'never started',
  refused: 'refused',
};

/** The verdict in words, as header and row show it; a run that has not ended has the words of its state. */
export function verdictWords(verdict: Verdict, acceptance?: AcceptanceResult): string {
  const outcome = OUTCOME_WORDS[verdict.outcome];
  const details = [LIMIT_WORDS[verdict.exit_reason], acceptance?.status === 'failed' ? 'acceptance failed' : undefined];
  const said = details.filter((detail) => detail !== undefined).join(', ');
  return said === '' ? outcome : `${outcome}: ${said}`;
}

/** The words of a run that has not ended: its state, and what a pause of it does to it (R9). */
export function liveWords({ state, reason, paused }: Pick<RunRow, 'state' | 'reason' | 'paused'>): string {
  const words = stateWords(state, reason);
  if (!paused || reason === 'paused') return words;
  if (state === 'starting' || state === 'running') return `${words}, pauses at its next safe boundary`;
  return state === 'queued' || state === 'waiting' ? `${words}, paused` : words;
}
