import type { Limit } from './moves.ts';

const WORDS: Readonly<Record<Limit, string>> = {
  max_turns: 'The turns of this run are used up.',
  max_tool_calls: 'The tool calls of this run are used up.',
  max_tokens: 'The tokens of this run are nearly used up.',
  budget: 'The money for this run is nearly used up.',
};

/** What the model is told for its last turn (R4, R5). */
export function windDownText(limit: Limit, outputOwed: boolean): string {
  const output = outputOwed ? ' Hand over the structured output with report_result as far as you have it.' : '';
  return `${WORDS[limit]} No tool is run any more. Give your answer now: what is done, what you found, and what is left.${output}`;
}
