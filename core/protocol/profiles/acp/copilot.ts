import type { AgentProfile } from '../profile.ts';
import { UNSUPPORTED } from '../support.ts';
import { ACP_COMMON } from './any-acp.ts';

/** GitHub Copilot CLI in its mode for the Agent Client Protocol. */
export const COPILOT_ACP: AgentProfile = {
  ...ACP_COMMON,
  id: 'copilot',
  name: 'GitHub Copilot CLI',
  description: 'GitHub Copilot CLI over ACP.',
  program: { command: 'copilot', args: ['--acp', '--no-auto-update'] },
  install: 'npm install -g @github/copilot',
  sign_in: 'Run `copilot` in a terminal and use /login.',
  start: { heavy: true, exclusive: null },
  usage: { tokens: 'session', cost: 'none', how: 'Tokens are sums since the session began.' },
  delegates: UNSUPPORTED('In this mode it does not start the MCP servers that it is given.'),
  endpoint: { type: 'variable', names: ['COPILOT_PROVIDER_BASE_URL'], otherwise: null },
  source: 'https://docs.github.com/en/copilot/reference/copilot-cli-reference/acp-server, and what version 1.0.102 did',
  failures: 'Errors of the protocol name the kind.',
};
