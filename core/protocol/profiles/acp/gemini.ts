import type { AgentProfile } from '../profile.ts';
import { GEMINI } from '../programs.ts';
import { ACP_COMMON } from './any-acp.ts';

/** Gemini CLI in its mode for the Agent Client Protocol. */
export const GEMINI_ACP: AgentProfile = {
  ...ACP_COMMON,
  ...GEMINI,
  id: 'gemini',
  name: 'Gemini CLI',
  description: 'Gemini CLI over ACP.',
  program: { command: 'gemini', args: ['--acp'] },
  steer: {
    ...ACP_COMMON.steer,
    how: `${ACP_COMMON.steer.how} It forgets what was said before with the turn, so that it is told its last message again.`,
  },
  modes: { plan: ['plan', 'default'], ask: ['default'], edit: ['autoEdit', 'auto_edit'], auto: ['yolo'] },
  source: 'npm run e2e:agents',
  failures: 'It retries for long without a word: the preflight finds a refused connection, the idle limit the rest.',
};
