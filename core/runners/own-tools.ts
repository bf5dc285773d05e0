import { DELEGATE } from '../protocol/delegate-tool.ts';
import type { Assignment } from '../protocol/frames.ts';
import type { AgentProfile } from '../protocol/profiles/profile.ts';
import { REPORT } from '../protocol/report-tool.ts';

/** Tools that change nothing (A1): all that there are in the mode `plan`. */
const READ_ONLY = ['read', 'ls', 'glob', 'grep'];
const OURS = [DELEGATE, REPORT];

/**
 * The agent's own names of the tools that the run may use (K3): those of the ceiling, in the mode `plan` those of them that only read. Null when
 * there is no ceiling: then it has all of its own.
 */
export function ownToolNames(
  { tools, permission, agent }: Pick<Assignment, 'tools' | 'permission' | 'agent'>,
  profile: Pick<AgentProfile, 'tool_names'>,
): string[] | null {
  const plan = permission === 'plan';
  if (tools === null && !plan && (agent.disallowed_tools ?? []).length === 0) return null;
  const known = Object.keys(profile.tool_names).filter((name) => !OURS.includes(name));
  const allowed = (tools ?? known).filter((name) => !(agent.disallowed_tools ?? []).includes(name));
  const kept = plan ? allowed.filter((name) => READ_ONLY.includes(name)) : allowed;
  return [...new Set(kept.flatMap((name) => profile.tool_names[name] ?? []))];
}
