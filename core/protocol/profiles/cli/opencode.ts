import type { AgentProfile } from '../profile.ts';
import { OPENCODE } from '../programs.ts';
import { WATCHED } from '../support.ts';
import { CLI_COMMON } from './any-cli.ts';

/** OpenCode without its terminal interface: one prompt a start. */
export const OPENCODE_CLI: AgentProfile = {
  ...CLI_COMMON,
  ...OPENCODE,
  id: 'opencode-cli',
  name: 'OpenCode',
  description: 'OpenCode, by its command line: one start for each message, no steering while it works.',
  limits: {
    ...CLI_COMMON.limits,
    max_cost_usd: WATCHED('It tells its cost after each message; at the limit its program is ended.'),
  },
  steer: null,
  usage: { tokens: 'turn', cost: 'reported', how: 'Tokens and cost come after each message.' },
  source: 'npm run e2e:agents',
  failures:
    'An error event has the HTTP status of a refusal. While it tries again it is silent: that meets the idle limit, with what was seen last.',
};
