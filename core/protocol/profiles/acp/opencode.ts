import type { AgentProfile } from '../profile.ts';
import { OPENCODE } from '../programs.ts';
import { ACP_COMMON } from './any-acp.ts';

/** Its own default is to ask nobody; what it asks comes to us, and the run's mode decides (A1). */
const permissions = (edit: string, run: string): Record<string, string> => ({
  OPENCODE_PERMISSION: JSON.stringify({ edit, bash: run, webfetch: run }),
});

/** opencode in its mode for the Agent Client Protocol. */
export const OPENCODE_ACP: AgentProfile = {
  ...ACP_COMMON,
  ...OPENCODE,
  id: 'opencode',
  name: 'opencode',
  description: 'opencode over ACP.',
  program: { command: 'opencode', args: ['acp'] },
  permission_env: {
    plan: permissions('deny', 'deny'),
    ask: permissions('ask', 'ask'),
    edit: permissions('allow', 'ask'),
    auto: permissions('allow', 'allow'),
  },
  limits: {
    ...ACP_COMMON.limits,
    max_cost_usd: { by: 'watched', how: 'It tells its cost while it works; at the limit the turn is cancelled.' },
  },
  steer: { method: 'prompt', proof: 'handed_over', how: 'A second prompt joins the turn that runs.' },
  usage: { tokens: 'turn', cost: 'reported', how: 'Tokens are those of the last request of a turn only.' },
  modes: { plan: ['plan'], ask: ['build'], edit: ['build'], auto: ['build'] },
  source: 'npm run e2e:agents',
  failures:
    'It retries for long without a word: the idle limit ends it. A refused connection is found by the preflight, where its configuration has the address.',
};
