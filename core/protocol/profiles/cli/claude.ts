import type { AgentProfile } from '../profile.ts';
import { CLI_COMMON } from './any-cli.ts';

/** Claude Code by its stream of JSON lines. */
export const CLAUDE_CLI: AgentProfile = {
  ...CLI_COMMON,
  id: 'claude-cli',
  name: 'Claude Code',
  description: 'Claude Code, by its command line.',
  program: { command: 'claude', args: [] },
  // Without it the delegate server's tools hide behind a search that the model must think of first.
  env: { ENABLE_TOOL_SEARCH: 'false', DISABLE_AUTOUPDATER: '1' },
  install: 'npm install -g @anthropic-ai/claude-code',
  sign_in: 'Run `claude` in a terminal and sign in with /login, or set ANTHROPIC_API_KEY.',
  limits: {
    ...CLI_COMMON.limits,
    max_cost_usd: { by: 'enforced', how: 'It is started with the limit, and ends its turn there.' },
  },
  ceiling: { by: 'enforced', how: 'It is started with the allowed tools only.' },
  steer: {
    method: 'stream',
    proof: 'delivered',
    how: 'One more line on its input joins the turn after the current tool; it repeats the line when it takes it up.',
  },
  usage: { tokens: 'turn', cost: 'reported', how: 'Tokens come with each message, cost at the end of a turn.' },
  endpoint: { type: 'variable', names: ['ANTHROPIC_BASE_URL'], otherwise: 'https://api.anthropic.com' },
  tool_names: {
    read: ['Read', 'NotebookRead'],
    ls: ['LS'],
    glob: ['Glob'],
    grep: ['Grep'],
    edit: ['Edit', 'MultiEdit', 'NotebookEdit'],
    write: ['Write'],
    bash: ['Bash', 'BashOutput', 'KillShell', 'Monitor', 'TaskStop'],
    delegate_task: [],
    report_result: [],
  },
  failures:
    'The result of a turn has is_error and the HTTP status; its own retries are told as they happen, limited by CLAUDE_CODE_MAX_RETRIES, and ended at once where a repetition mends nothing.',
};
