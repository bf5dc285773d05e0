import type { AgentProfile } from '../profile.ts';
import { CLI_COMMON, WATCHED } from './any-cli.ts';

/** OpenCode without its terminal interface: one prompt a start. */
export const OPENCODE_CLI: AgentProfile = {
  ...CLI_COMMON,
  id: 'opencode-cli',
  name: 'OpenCode',
  description: 'OpenCode, by its command line: one start for each message, no steering while it works.',
  program: { command: 'opencode', args: [] },
  env: { OPENCODE_DISABLE_AUTOUPDATE: '1' },
  start: { heavy: true, exclusive: true },
  install: 'npm install -g opencode-ai',
  sign_in: 'Run `opencode auth login`.',
  limits: {
    ...CLI_COMMON.limits,
    max_cost_usd: WATCHED('It tells its cost after each message; at the limit its program is ended.'),
  },
  steer: null,
  usage: { tokens: 'turn', cost: 'reported', how: 'Tokens and cost come after each message.' },
  endpoint: { type: 'opencode_config', variable: 'OPENCODE_CONFIG_CONTENT' },
  failures:
    'An error event has the HTTP status of a refusal. While it tries again it is silent: that meets the idle limit, with what was seen last.',
};
