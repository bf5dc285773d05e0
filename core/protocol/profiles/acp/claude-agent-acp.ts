import type { AgentProfile } from '../profile.ts';
import { ACP_COMMON } from './any-acp.ts';

/** Claude Code through its adapter for the Agent Client Protocol. */
export const CLAUDE_AGENT_ACP: AgentProfile = {
  ...ACP_COMMON,
  id: 'claude-agent-acp',
  name: 'Claude Code (ACP)',
  description: 'Claude Code through its ACP adapter.',
  program: { command: 'claude-agent-acp', args: [] },
  // Without it the delegate server's tools hide behind a search that the model must think of first.
  env: { ENABLE_TOOL_SEARCH: 'false' },
  install: 'npm install -g @agentclientprotocol/claude-agent-acp',
  sign_in: 'Run `claude` in a terminal and sign in with /login, or set ANTHROPIC_API_KEY.',
  limits: {
    ...ACP_COMMON.limits,
    max_cost_usd: { by: 'watched', how: 'It tells its cost while it works; at the limit the turn is cancelled.' },
  },
  ceiling: { by: 'enforced', how: 'Tools that are not allowed are taken away when its session begins.' },
  steer: {
    method: 'prompt',
    proof: 'handed_over',
    how: 'A second prompt joins the turn that runs, after the current tool.',
  },
  usage: { tokens: 'turn', cost: 'reported', how: 'Tokens come with the end of a turn, cost while it works.' },
  endpoint: { type: 'variable', names: ['ANTHROPIC_BASE_URL'], otherwise: 'https://api.anthropic.com' },
  modes: { plan: ['plan'], ask: ['default'], edit: ['acceptEdits'], auto: ['bypassPermissions', 'default'] },
  tool_names: {
    read: ['Read', 'NotebookRead'],
    ls: ['LS'],
    glob: ['Glob'],
    grep: ['Grep'],
    edit: ['Edit', 'MultiEdit', 'NotebookEdit'],
    write: ['Write'],
    bash: ['Bash', 'BashOutput', 'KillShell', 'KillBash'],
    delegate_task: [],
    report_result: [],
  },
  failures: 'Errors of the protocol carry a kind (authentication_failed, rate_limit, server_error).',
};
