import type { AgentProfile } from '../profile.ts';
import { CODEX } from '../programs.ts';
import { ACP_COMMON } from './any-acp.ts';

/** Codex through its adapter for the Agent Client Protocol. */
export const CODEX_ACP: AgentProfile = {
  ...ACP_COMMON,
  ...CODEX,
  id: 'codex-acp',
  name: 'Codex (ACP)',
  description: 'Codex through its ACP adapter.',
  program: { command: 'codex-acp', args: [] },
  install: 'npm install -g @agentclientprotocol/codex-acp',
  steer: {
    method: 'extension',
    proof: 'delivered',
    how: 'Its request _session/steering puts the text into the turn and answers "injected".',
  },
  modes: {
    plan: ['read-only'],
    ask: ['read-only', 'agent', 'auto'],
    edit: ['agent', 'auto'],
    auto: ['agent-full-access', 'full-access'],
  },
  source: 'npm run e2e:agents',
  failures:
    'A missing login is an error of the protocol; other provider errors come as the text of an answer without usage. A refused connection is found by the preflight, as it retries without end.',
};
