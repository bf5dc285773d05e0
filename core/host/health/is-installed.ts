import { findProgram } from '../../kit/process-tree/find-program.ts';
import type { AgentDefinition } from '../../protocol/agents.ts';
import { profileOf } from '../../protocol/profiles/agent-profiles.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the program of an outside agent is on this machine; null for the other agents, which need none of their own. */
export function isInstalled(agent: AgentDefinition, environment: Environment): boolean | null {
  if (agent.runner !== 'acp' && agent.runner !== 'cli') return null;
  const command = agent.command ?? profileOf(agent)?.program.command;
  if (command === undefined || command === '') return null;
  return findProgram(command, { ...environment, ...agent.env }) !== null;
}
