import type { AgentProfile } from '../profile.ts';
import { UNSUPPORTED, WATCHED } from '../support.ts';
import { CLI_COMMON } from './any-cli.ts';

/** pi by its rpc mode. */
export const PI_CLI: AgentProfile = {
  ...CLI_COMMON,
  id: 'pi-cli',
  name: 'pi',
  description: 'The coding agent pi, by its rpc mode. It asks for no permission.',
  program: { command: 'pi', args: [] },
  env: { PI_SKIP_VERSION_CHECK: '1' },
  install: 'npm install -g @earendil-works/pi-coding-agent',
  sign_in: 'Run `pi` in a terminal and sign in with /login, or set the key of a provider.',
  limits: {
    ...CLI_COMMON.limits,
    max_cost_usd: WATCHED('It tells its cost with each message; at the limit the turn is ended.'),
  },
  ceiling: { by: 'enforced', how: 'It is started with the allowed tools only.' },
  steer: {
    method: 'extension',
    proof: 'delivered',
    how: 'Its command steer puts the text into the turn after the current tool; the text shows in its stream when it is part of it.',
  },
  usage: { tokens: 'turn', cost: 'reported', how: 'Tokens and cost come with each message.' },
  delegates: UNSUPPORTED('It knows no MCP servers.'),
  tool_names: {
    read: ['read'],
    ls: ['ls'],
    glob: ['find'],
    grep: ['grep'],
    edit: ['edit'],
    write: ['write'],
    bash: ['bash'],
    delegate_task: [],
    report_result: [],
  },
  source: 'npm run e2e:agents',
  failures:
    'A message has the stop reason "error" with its text, whatever the exit status; its own retries are told as they happen.',
};
