import type { AgentDefinition } from '../../../core/protocol/agents.ts';
import type { Finding } from '../../../core/protocol/health.ts';

/** How a finding stands: it is what runs by default, is ready to be named, can be taken over, or is not there. */
export type FindingState = 'default' | 'ready' | 'usable' | 'missing';

/** The provider or agent that a finding is about: the last part of its id. */
export function subjectOf(finding: Pick<Finding, 'id'>): string {
  return finding.id.split(/[:/]/).at(-1) ?? finding.id;
}

/** Whether a finding still asks for a press. */
export function stateOf(
  finding: Finding,
  agents: readonly AgentDefinition[],
  defaultModel: string | null,
): FindingState {
  if (!finding.found) return 'missing';
  const subject = subjectOf(finding);
  if (finding.kind === 'agent') {
    return agents.some(({ id }) => id === subject || id === finding.name) ? 'ready' : 'usable';
  }
  return defaultModel?.split('/')[0] === subject ? 'default' : 'usable';
}
