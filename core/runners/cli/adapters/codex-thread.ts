import type { Permission } from '../../../protocol/settings.ts';
import type { AdapterContext } from '../adapter.ts';
import type { Json } from '../json.ts';

/** A delegation may take half a day, and its own limit is ours to keep. */
const TOOL_SECONDS = 43_200;

/** `untrusted`: everything but plain reading asks us, who know the run's mode. */
const MODES: Readonly<Record<Permission, { readonly approvalPolicy: string; readonly sandbox: string }>> = {
  plan: { approvalPolicy: 'untrusted', sandbox: 'read-only' },
  ask: { approvalPolicy: 'untrusted', sandbox: 'danger-full-access' },
  edit: { approvalPolicy: 'untrusted', sandbox: 'danger-full-access' },
  auto: { approvalPolicy: 'never', sandbox: 'danger-full-access' },
};

/** The request that begins or resumes the thread of a run. */
export function codexThread({ assignment, server, session }: AdapterContext): { method: string; params: Json } {
  const { agent, workspace, permission, effort } = assignment;
  const model = assignment.model ?? agent.model ?? null;
  const config: Record<string, unknown> = {};
  if (effort !== null) config['model_reasoning_effort'] = effort;
  if (server !== null) {
    const { name, command, args, env } = server;
    const times = { startup_timeout_sec: 60, tool_timeout_sec: TOOL_SECONDS };
    config['mcp_servers'] = { [name]: { command, args, env, ...times, default_tools_approval_mode: 'approve' } };
  }
  const params = { cwd: workspace, ...MODES[permission], config, ...(model === null ? {} : { model }) };
  if (session === null) return { method: 'thread/start', params };
  return { method: 'thread/resume', params: { threadId: session, excludeTurns: true, ...params } };
}
