import { toolEnvironment } from '../kit/process-tree/tool-environment.ts';
import type { Assignment } from '../protocol/frames.ts';
import type { AgentProfile } from '../protocol/profiles/profile.ts';

/** What an agent's program is started with: it keeps the login that it uses, keys too (K5), and gets nothing of ours but the marker. */
export function agentEnvironment(
  { environment, agent, permission, run_id, limits }: Assignment,
  { env, permission_env, retries_variable }: AgentProfile,
): Record<string, string> {
  const retries = retries_variable === undefined ? {} : { [retries_variable]: String(limits.retries) };
  return toolEnvironment(
    { ...environment, ...env, ...retries, ...agent.env, ...permission_env?.[permission] },
    { runId: run_id },
  );
}
