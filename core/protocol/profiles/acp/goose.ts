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
  // Its "smart" mode lets a model decide about commands: what may be edited freely is ours to answer (A1).
  modes: { plan: ['chat'], ask: ['approve'], edit: ['approve'], auto: ['auto'] },
  source: 'https://block.github.io/goose/docs/guides/acp-clients and /goose-permissions',
};
