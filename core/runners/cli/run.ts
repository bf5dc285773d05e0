import { isAbsolute } from 'node:path';
import { findProgram } from '../../kit/process-tree/find-program.ts';
import type { Assignment } from '../../protocol/frames.ts';
import { profileOf } from '../../protocol/profiles/agent-profiles.ts';
import type { AgentProfile } from '../../protocol/profiles/profile.ts';
import type { RunReport } from '../../protocol/report.ts';
import { agentEnvironment } from '../agent-environment.ts';
import { endpointOf, unreachable } from '../preflight.ts';
import type { Runner, RunnerEnd, RunnerPort } from '../contract.ts';
import { bareReport } from '../bare-report.ts';
import type { Adapter } from './adapter.ts';
import { AgentRun } from './agent-run.ts';
import { claude } from './adapters/claude.ts';
import { codex } from './adapters/codex.ts';
import { gemini } from './adapters/gemini.ts';
import { opencode } from './adapters/opencode.ts';
import { pi } from './adapters/pi.ts';
import { CliConversation } from './conversation.ts';
import { Meter } from './meter.ts';
import { openOffer } from '../offer.ts';
import { Permissions } from './permissions.ts';
import { readSession } from './session.ts';
import { Steering } from './steering.ts';
import { TranscriptWriter } from './transcript-writer.ts';

const ADAPTERS: Readonly<Record<string, Adapter>> = {
  'claude-cli': claude,
  'codex-cli': codex,
  'gemini-cli': gemini,
  'opencode-cli': opencode,
  'pi-cli': pi,
};

/**
 * Executes a run as a coding CLI in its JSON-stream mode (runner `cli`). The outcome comes from the whole stream, never from the exit status (T3); limits
 * are watched (R11); the program and everything below it is ended with the run (C3, C4).
 */
export const runCli: Runner = async (assignment, port) => {
  const { agent } = assignment;
  const profile = profileOf(agent);
  const adapter = ADAPTERS[agent.adapter ?? ''];
  if (profile === null || adapter === undefined) {
    const known = Object.keys(ADAPTERS).join(', ');
    return refused(port, 'agent_not_found', `There is no CLI adapter "${agent.adapter ?? ''}"; known: ${known}.`);
  }
  const environment = agentEnvironment(assignment, profile);
  const program = agent.command ?? profile.program.command;
  // Before the network: without the program nothing that is said of its server helps.
  if (isNamed(program) && findProgram(program, environment) === null) {
    port.transcript.add({ type: 'user', origin: 'goal', steer_id: null }, assignment.goal);
    const install = agent.command === undefined ? ` To install it: ${profile.install}` : '';
    return refused(port, 'agent_not_found', `The program was not found: ${program}.${install}`);
  }
  const endpoint = await endpointOf(profile.endpoint, environment);
  const problem = endpoint === null ? null : await unreachable(endpoint, port.stop);
  if (problem !== null && !port.stop.aborted) {
    port.transcript.add({ type: 'user', origin: 'goal', steer_id: null }, assignment.goal);
    return refused(port, 'network', `The model server cannot be reached: ${problem}`);
  }
  return talk(assignment, port, { profile, adapter, environment });
};

/** Looked for on the PATH, or told by its whole path; one that begins at the working folder is for the start to find. */
function isNamed(program: string): boolean {
  return isAbsolute(program) || !/[\\/]/.test(program);
}

async function talk(
  assignment: Assignment,
  port: RunnerPort,
  { profile, adapter, environment }: { profile: AgentProfile; adapter: Adapter; environment: Record<string, string> },
): Promise<RunnerEnd> {
  const { agent } = assignment;
  if ((agent.mcp_servers ?? []).length > 0) {
    const note = `${profile.name} has the MCP servers of its own configuration only; over ACP it would be given those of its definition.`;
    port.transcript.add({ type: 'notice', level: 'warning' }, note);
  }
  const offer = await openOffer(assignment, port, profile);
  const session = readSession(assignment.session, profile.id);
  const meter = new Meter(assignment.limits);
  port.onLimits((limits) => (meter.limits = { ...meter.limits, ...limits }));
  const steering = new Steering(port, assignment);
  const writer = new TranscriptWriter(port);
  const run = new AgentRun(
    {
      assignment,
      port,
      profile,
      adapter,
      command: agent.command ?? profile.program.command,
      args: agent.command === undefined ? profile.program.args : (agent.args ?? []),
      environment,
      bridge: offer.bridge,
      writer,
      meter,
      steering,
      permissions: new Permissions(port, assignment),
    },
    session?.session ?? null,
  );
  const conversation = new CliConversation({ assignment, port, run, offer, meter, steering, writer, profile, session });
  try {
    return await conversation.hold();
  } finally {
    await offer.close();
  }
}

function refused(port: RunnerPort, reason: NonNullable<RunReport['error']>['reason'], message: string): RunnerEnd {
  const progress = new Meter({ max_turns: 1, max_tool_calls: null, max_tokens: null, max_cost_usd: null }).progress(
    port.activeSeconds(),
  );
  const report = bareReport(port, { ...progress, cost_usd: 0, cost_status: 'included' });
  return { report: { ...report, error: { reason, message } }, session: null };
}
