import type { AgentProfile } from '../profile.ts';
import { UNSUPPORTED } from '../support.ts';
import { ACP_COMMON } from './any-acp.ts';

/** Qwen Code in its mode for the Agent Client Protocol. */
export const QWEN_ACP: AgentProfile = {
  ...ACP_COMMON,
  id: 'qwen',
  name: 'Qwen Code',
  description: 'Qwen Code over ACP.',
  program: { command: 'qwen', args: ['--acp'] },
  install: 'npm install -g @qwen-code/qwen-code',
  sign_in: 'Run `qwen` in a terminal and sign in, or set OPENAI_API_KEY and OPENAI_BASE_URL.',
  start: { heavy: true, exclusive: null },
  usage: { tokens: 'none', cost: 'none', how: 'Its tokens come with single pieces of text, not with every version.' },
  delegates: UNSUPPORTED('It hides the tools of MCP servers behind a search that the model must think of first.'),
  endpoint: { type: 'variable', names: ['OPENAI_BASE_URL'], otherwise: null },
  modes: { plan: ['plan'], ask: ['default'], edit: ['auto-edit', 'auto_edit'], auto: ['yolo'] },
  source: 'https://mintlify.com/QwenLM/qwen-code/features/approval-modes, and what versions 0.15.10 and 0.24.4 did',
  failures: 'Provider errors come as the text "[API Error: …]" of an answer that claims success.',
};
