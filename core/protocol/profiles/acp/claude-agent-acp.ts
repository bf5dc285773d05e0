import type { AgentProfile } from '../profile.ts';
import { CLAUDE } from '../programs.ts';
import { ACP_COMMON } from './any-acp.ts';

/** Claude Code through its adapter for the Agent Client Protocol. */
export const CLAUDE_AGENT_ACP: AgentProfile = {
  ...ACP_COMMON,
  ...CLAUDE,
  id: 'claude-agent-acp',
  name: 'Claude Code (ACP)',
  description: 'Claude Code through its ACP adapter.',
  program: { command: 'claude-agent-acp', args: [] },
  install: 'npm install -g @agentclientprotocol/claude-agent-acp',
  limits: {
    ...ACP_COMMON.limits,
    max_cost_usd: { by: 'watched', how: 'It tells its cost while it works; at the limit the turn is cancelled.' },
  },
  steer: {
    method: 'prompt',
    proof: 'handed_over',
    how: 'A second prompt joins the turn that runs, after the current tool.',
  },
  usage: { tokens: 'turn', cost: 'reported', how: 'Tokens come with the end of a turn, cost while it works.' },
  modes: { plan: ['plan'], ask: ['default'], edit: ['acceptEdits'], auto: ['bypassPermissions', 'default'] },
  source: 'npm run e2e:agents',
  failures: 'Errors of the protocol carry a kind (authentication_failed, rate_limit, server_error).',
};
