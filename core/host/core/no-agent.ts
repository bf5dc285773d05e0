import { basename, isAbsolute } from 'node:path';
import type { AgentDefinition } from '../../protocol/agents.ts';
import type { Batch } from '../../protocol/batch.ts';
import { profileOf } from '../../protocol/profiles/agent-profiles.ts';
import { isInstalled } from '../health/is-installed.ts';
import type { Core } from './core.ts';

/**
 * Why not one task of a batch could be carried out: the program of no agent of theirs is on this machine, with how to install it. Null when one is there, or
 * when that cannot be known.
 */
export async function noAgentFor(core: Core, projectId: string | null, { tasks }: Batch): Promise<string | null> {
  const { environment, path } = core.options;
  const defined = core.agents.of(projectId);
  const agents = [...new Set(tasks.map(({ agent }) => agent))].flatMap((id) => defined.get(id) ?? []);
  const areMissing = (): boolean => agents.length > 0 && agents.every((agent) => isMissing(agent, environment));
  if (!areMissing()) return null;
  // It may have been installed since the PATH was read last.
  await path?.lookAgain();
  return areMissing() ? agents.map(missingText).join(' ') : null;
}

/** A command with folders is looked for from where the run is, which is not known yet. */
function isMissing(agent: AgentDefinition, environment: Core['options']['environment']): boolean {
  const { command } = agent;
  if (command !== undefined && !isAbsolute(command) && basename(command) !== command) return false;
  return isInstalled(agent, environment) === false;
}

function missingText(agent: AgentDefinition): string {
  const profile = profileOf(agent);
  const command = agent.command ?? profile?.program.command ?? '';
  const remedy =
    agent.command !== undefined || profile === null
      ? 'Set where it is as the "command" of the agent.'
      : `To install it: ${profile.install}`;
  return `The agent "${agent.id}" has no program here: "${command}" was not found. ${remedy}`;
}
