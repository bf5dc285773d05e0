import type { AgentProfile } from '../profile.ts';
import { CODEX } from '../programs.ts';
import { CLI_COMMON } from './any-cli.ts';

/** Codex by its app server. */
export const CODEX_CLI: AgentProfile = {
  ...CLI_COMMON,
  ...CODEX,
  id: 'codex-cli',
  name: 'Codex',
  description: 'Codex, by its app server.',
  program: { command: 'codex', args: [] },
  install: 'npm install -g @openai/codex',
  steer: {
    method: 'extension',
    proof: 'delivered',
    how: 'Its request turn/steer puts the text into the turn, and answers when it has.',
  },
  usage: { tokens: 'session', cost: 'none', how: 'Tokens come after each message, summed over its session.' },
  source: 'npm run e2e:agents',
  failures:
    'A failed turn carries an error with its kind and HTTP status; a refused connection is found by the preflight, as it retries without end.',
};
