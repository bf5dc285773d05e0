import type { AgentProfile } from '../profile.ts';
import { ACP_COMMON } from './any-acp.ts';

/** Goose in its mode for the Agent Client Protocol. */
export const GOOSE_ACP: AgentProfile = {
  ...ACP_COMMON,
  id: 'goose',
  name: 'Goose',
  description: 'Goose over ACP.',
  program: { command: 'goose', args: ['acp'] },
  install: 'See https://block.github.io/goose/docs/getting-started/installation',
  sign_in: 'Run `goose configure`.',
  usage: { tokens: 'none', cost: 'none', how: 'It does not tell its tokens.' },
  modes: { plan: ['chat'], ask: ['approve'], edit: ['smart_approve'], auto: ['auto'] },
};
