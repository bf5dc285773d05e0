import type { AgentProfile } from '../profile.ts';
import { CLAUDE } from '../programs.ts';
import { CLI_COMMON } from './any-cli.ts';

/** Claude Code by its stream of JSON lines. */
export const CLAUDE_CLI: AgentProfile = {
  ...CLI_COMMON,
  ...CLAUDE,
  id: 'claude-cli',
  name: 'Claude Code',
  description: 'Claude Code, by its command line.',
  program: { command: 'claude', args: [] },
  install: 'npm install -g @anthropic-ai/claude-code',
  limits: {
    ...CLI_COMMON.limits,
    max_cost_usd: { by: 'enforced', how: 'It is started with the limit, and ends its turn there.' },
  },
  steer: {
    method: 'stream',
    proof: 'delivered',
    how: 'One more line on its input joins the turn after the current tool; it repeats the line when it takes it up.',
  },
  usage: { tokens: 'turn', cost: 'reported', how: 'Tokens come with each message, cost at the end of a turn.' },
  source: 'npm run e2e:agents',
  failures:
    'The result of a turn has is_error and the HTTP status; its own retries are told as they happen, limited by CLAUDE_CODE_MAX_RETRIES, and ended at once where a repetition mends nothing.',
};
