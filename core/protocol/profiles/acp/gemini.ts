import type { AgentProfile } from '../profile.ts';
import { ACP_COMMON } from './any-acp.ts';

/** Gemini CLI in its mode for the Agent Client Protocol. */
export const GEMINI_ACP: AgentProfile = {
  ...ACP_COMMON,
  id: 'gemini',
  name: 'Gemini CLI',
  description: 'Gemini CLI over ACP.',
  program: { command: 'gemini', args: ['--acp'] },
  install: 'npm install -g @google/gemini-cli',
  sign_in: 'Run `gemini` in a terminal and sign in, or set GEMINI_API_KEY.',
  start: { heavy: true, exclusive: false },
  endpoint: {
    type: 'variable',
    names: ['GOOGLE_GEMINI_BASE_URL'],
    otherwise: 'https://generativelanguage.googleapis.com',
  },
  modes: { plan: ['plan', 'default'], ask: ['default'], edit: ['autoEdit', 'auto_edit'], auto: ['yolo'] },
  failures: 'It retries for long without a word: the preflight finds a refused connection, the idle limit the rest.',
};
