import type { Assignment } from '../../protocol/frames.ts';
import type { Progress, RunReport } from '../../protocol/report.ts';
import { addTokens, NO_TOKENS, totalTokens } from '../../protocol/token-sums.ts';
import type { Tokens } from '../../protocol/usage.ts';

type Limits = Pick<Assignment['limits'], 'max_turns' | 'max_tool_calls' | 'max_tokens' | 'max_cost_usd'>;

/** Counts what an agent was seen to use, and says when a limit is reached (R4, R5, R11: watched). */
export class Meter {
  /** May change while the run waits (R5). */
  limits: Limits;
  turns = 0;
  toolCalls = 0;
  /** Turns since the last message to a lead: its limit counts by message (T1). */
  turnsSinceMessage = 0;
  /** Used by programs of this attempt that have ended. */
  #before: { tokens: Tokens; cost: number | null } = { tokens: NO_TOKENS, cost: 0 };
  #tokens: Tokens = NO_TOKENS;
  /** USD of the program that runs; null: it does not tell, or not yet. */
  #cost: number | null = null;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  add(tokens: Tokens, cost: number | null): void {
    this.#tokens = addTokens(this.#tokens, tokens);
    if (cost !== null) this.#cost = (this.#cost ?? 0) + cost;
  }

  /** Sums since the program started; they count also what was not seen one by one. */
  total(tokens: Tokens, cost: number | null): void {
    if (totalTokens(tokens) >= totalTokens(this.#tokens)) this.#tokens = tokens;
    this.#cost = cost;
  }

  /** The program has ended; the next one counts from nothing. */
  programEnded(): void {
    const { tokens, cost } = this.#before;
    this.#before = {
      tokens: addTokens(tokens, this.#tokens),
      cost: this.#cost === null || cost === null ? null : cost + this.#cost,
    };
    this.#tokens = NO_TOKENS;
    this.#cost = 0;
  }

  /** The first limit that is reached; null while there is room. */
  get reached(): RunReport['limit'] {
    const { max_turns, max_tool_calls, max_tokens, max_cost_usd } = this.limits;
    if (max_tool_calls !== null && this.toolCalls > max_tool_calls) return 'max_tool_calls';
    if (max_tokens !== null && totalTokens(this.tokens) >= max_tokens) return 'max_tokens';
    if (max_cost_usd !== null && (this.cost ?? 0) >= max_cost_usd) return 'budget';
    return this.turnsSinceMessage > max_turns ? 'max_turns' : null;
  }

  get tokens(): Tokens {
    return addTokens(this.#before.tokens, this.#tokens);
  }

  get cost(): number | null {
    return this.#cost === null || this.#before.cost === null ? null : this.#before.cost + this.#cost;
  }

  progress(activeSeconds: number): Progress {
    const cost = this.cost;
    return {
      turns: this.turns,
      tool_calls: this.toolCalls,
      tokens: this.tokens,
      cost_usd: cost,
      cost_status: cost === null ? 'unknown' : 'reported',
      active_seconds: activeSeconds,
    };
  }
}
