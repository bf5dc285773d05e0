import type { AgentSettings } from '../settings.ts';
import { CLAUDE_AGENT_ACP } from './acp/claude-agent-acp.ts';
import { CODEX_ACP } from './acp/codex-acp.ts';
import { ACP_COMMON } from './acp/any-acp.ts';
import { COPILOT_ACP } from './acp/copilot.ts';
import { GEMINI_ACP } from './acp/gemini.ts';
import { GOOSE_ACP } from './acp/goose.ts';
import { OPENCODE_ACP } from './acp/opencode.ts';
import { QWEN_ACP } from './acp/qwen.ts';
import { CLAUDE_CLI } from './cli/claude.ts';
import { CODEX_CLI } from './cli/codex.ts';
import { GEMINI_CLI } from './cli/gemini.ts';
import { OPENCODE_CLI } from './cli/opencode.ts';
import { PI_CLI } from './cli/pi.ts';
import type { AgentProfile } from './profile.ts';

/** Every external agent that is known by name. */
export const AGENT_PROFILES: readonly AgentProfile[] = [
  CLAUDE_AGENT_ACP,
  CODEX_ACP,
  GEMINI_ACP,
  OPENCODE_ACP,
  COPILOT_ACP,
  QWEN_ACP,
  GOOSE_ACP,
  CLAUDE_CLI,
  CODEX_CLI,
  GEMINI_CLI,
  OPENCODE_CLI,
  PI_CLI,
];

/** What holds for an agent over ACP that nobody knows. */
const ANY_ACP: AgentProfile = {
  ...ACP_COMMON,
  id: '',
  name: 'ACP agent',
  description: 'An agent that speaks the Agent Client Protocol.',
  program: { command: '', args: [] },
  install: 'See the documentation of the agent.',
  sign_in: 'Sign in with the agent’s own program.',
};

/**
 * The profile of an agent: the one that its `adapter` names; one over ACP without it has what the protocol gives. Null for the other runners, and for
 * an adapter that does not exist.
 */
export function profileOf({ runner, adapter }: Pick<AgentSettings, 'runner' | 'adapter'>): AgentProfile | null {
  if (runner !== 'acp' && runner !== 'cli') return null;
  if (adapter === undefined) return runner === 'acp' ? ANY_ACP : null;
  return AGENT_PROFILES.find((profile) => profile.id === adapter && profile.runner === runner) ?? null;
}
