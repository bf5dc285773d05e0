import type { AgentProfile } from '../profile.ts';
import { GEMINI } from '../programs.ts';
import { UNSUPPORTED } from '../support.ts';
import { CLI_COMMON } from './any-cli.ts';

/** Gemini CLI without its terminal interface: one prompt a start. */
export const GEMINI_CLI: AgentProfile = {
  ...CLI_COMMON,
  ...GEMINI,
  id: 'gemini-cli',
  name: 'Gemini CLI',
  description: 'Gemini CLI, by its command line: one start for each message, no steering while it works.',
  env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  limits: {
    ...CLI_COMMON.limits,
    max_tokens: UNSUPPORTED('It tells its tokens only at its end, when they are spent.'),
  },
  steer: null,
  delegates: UNSUPPORTED(
    'Without its terminal interface it offers no tools of a server that it is given; over ACP it does.',
  ),
  usage: { tokens: 'turn', cost: 'none', how: 'Tokens come with the end of a turn.' },
  source: 'npm run e2e:agents',
  failures:
    'The result of a turn has the status "error". While it tries again it is silent: that meets the idle limit, with what it wrote to stderr last.',
};
