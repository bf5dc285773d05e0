import type { AgentDefinition } from '../../protocol/agents.ts';
import { AGENT_PROFILES } from '../../protocol/profiles/agent-profiles.ts';

/** The agents that exist from the start. */
export const BUILTIN_AGENTS: readonly AgentDefinition[] = [
  {
    id: 'general',
    runner: 'builtin',
    source: 'builtin',
    description: 'Works on any task in the project: reads, edits, runs commands, delegates.',
  },
  {
    id: 'explorer',
    runner: 'builtin',
    source: 'builtin',
    description: 'Reads and searches, changes nothing. For questions about the code.',
    tools: ['read', 'ls', 'glob', 'grep', 'report_result'],
    permission: 'plan',
    prompt:
      'You explore. Find what was asked for, quote paths with line numbers, and say what you did not look at. You change nothing.',
  },
  {
    id: 'command',
    runner: 'command',
    source: 'builtin',
    description: 'Runs its goal as a shell command line. No model.',
  },
  // Programs of others that may be on the machine; each starts what its profile says.
  ...AGENT_PROFILES.map(({ id, runner, description }) => ({
    id,
    runner,
    adapter: id,
    description,
    source: 'builtin' as const,
  })),
];
