import type { AgentProfile } from './profile.ts';

/** What is true of a program whichever way it is spoken to. */
type OfProgram = Partial<AgentProfile>;

const CLAUDE_TOOLS = {
  read: ['Read', 'NotebookRead'],
  ls: ['LS'],
  glob: ['Glob'],
  grep: ['Grep'],
  edit: ['Edit', 'MultiEdit', 'NotebookEdit'],
  write: ['Write'],
  bash: ['Bash', 'BashOutput', 'KillShell', 'Monitor', 'TaskStop'],
  delegate_task: [],
  report_result: [],
};

export const CLAUDE = {
  sign_in: 'Run `claude` in a terminal and sign in with /login, or set ANTHROPIC_API_KEY.',
  // Without the first the delegate server's tools hide behind a search that the model must think of.
  env: { ENABLE_TOOL_SEARCH: 'false', DISABLE_AUTOUPDATER: '1' },
  retries_variable: 'CLAUDE_CODE_MAX_RETRIES',
  ceiling: { by: 'enforced', how: 'It is started with the allowed tools only.' },
  endpoint: { type: 'variable', names: ['ANTHROPIC_BASE_URL'], otherwise: 'https://api.anthropic.com' },
  tool_names: CLAUDE_TOOLS,
} as const satisfies OfProgram;

export const CODEX = {
  // One database of its state, which two that make it at once spoil for each other.
  start: { heavy: false, exclusive: 'codex' },
  sign_in: 'Run `codex login`, or set OPENAI_API_KEY.',
  endpoint: { type: 'codex_config', home: 'CODEX_HOME', otherwise: 'https://api.openai.com' },
} as const satisfies OfProgram;

export const GEMINI = {
  program: { command: 'gemini', args: [] },
  install: 'npm install -g @google/gemini-cli',
  sign_in: 'Run `gemini` in a terminal and sign in, or set GEMINI_API_KEY.',
  start: { heavy: true, exclusive: null },
  endpoint: {
    type: 'variable',
    names: ['GOOGLE_GEMINI_BASE_URL'],
    otherwise: 'https://generativelanguage.googleapis.com',
  },
} as const satisfies OfProgram;

export const OPENCODE = {
  program: { command: 'opencode', args: [] },
  install: 'npm install -g opencode-ai',
  sign_in: 'Run `opencode auth login`.',
  env: { OPENCODE_DISABLE_AUTOUPDATE: '1' },
  // One database and one cache for all of its processes.
  start: { heavy: true, exclusive: 'opencode' },
  endpoint: { type: 'opencode_config', variable: 'OPENCODE_CONFIG_CONTENT' },
} as const satisfies OfProgram;
