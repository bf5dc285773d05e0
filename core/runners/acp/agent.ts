import { delay } from '../../kit/clock.ts';
import type { SpawnError } from '../../kit/process-tree/spawn-failure.ts';
import { plainText } from '../../kit/terminal-text.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { Assignment } from '../../protocol/frames.ts';
import type { AgentProfile } from '../../protocol/profiles/profile.ts';
import { agentEnvironment } from '../agent-environment.ts';
import { oneLine, reasonInWords } from '../agent-failure.ts';
import { startAgent, type AgentProcess } from '../agent-process.ts';
import type { RunnerPort } from '../contract.ts';
import { JsonLines } from '../json-lines.ts';
import { maskingOf } from '../masked.ts';
import { START_FAILURES } from '../start-failure.ts';
import { untilStopped } from '../until-stopped.ts';
import { AgentGone } from './agent-gone.ts';
import { openSession, type Failure, type OpenedSession, type SessionOrder } from './agent-session.ts';
import { AcpConnection, type ClientSide } from './connection.ts';

/** An agent that died before anything happened is started again after these many milliseconds (R8). */
const RESTART_AFTER = [250, 750, 1500];

/** An agent with an open session. */
export interface Agent {
  readonly process: AgentProcess;
  readonly connection: AcpConnection;
  readonly session: OpenedSession;
}

/** What an agent is started with. */
export interface AgentOrder extends SessionOrder {
  readonly port: RunnerPort;
  readonly side: ClientSide;
  /** Told of each process as soon as it runs, so that a stop finds it. */
  readonly onProcess: (process: AgentProcess, connection: AcpConnection) => void;
}

/** Why an agent could not be had; `died`: it ended before it had said anything, and may be started again. */
interface StartProblem extends Failure {
  readonly died: boolean;
}

/** Starts the agent of an assignment and opens its session; one that dies at its start gets three more tries. */
export async function openAgent(order: AgentOrder): Promise<Result<Agent, Failure>> {
  for (const wait of [...RESTART_AFTER, null]) {
    const started = await open(order);
    if (started.ok) return started;
    const { died, ...failure } = started.error;
    if (!died || wait === null) return err(failure);
    await untilStopped(order.port.stop, delay(order.port.clock, wait));
  }
  throw new Error('The last try has no wait');
}

async function open(order: AgentOrder): Promise<Result<Agent, StartProblem>> {
  const { assignment, profile, port, side } = order;
  port.stop.throwIfAborted();
  let process: AgentProcess | null = null;
  const connection: AcpConnection = new AcpConnection(side, (line) => process?.write(line) ?? false);
  const noise: string[] = [];
  const mask = maskingOf(assignment);
  const lines = new JsonLines({
    value: (value) => connection.take(mask.message(value)),
    noise: (line) => noise.push(mask.text(line)) > 20 && noise.shift(),
  });
  const { command, args } = programOf(assignment, profile);
  const started = await startAgent({
    command,
    args,
    env: agentEnvironment(assignment, profile),
    cwd: assignment.workspace,
    marker: assignment.run_id,
    clock: port.clock,
    mask: mask.text,
    onStdout: (chunk) => {
      port.alive();
      lines.push(chunk);
    },
    // Not a sign of life: some agents only tell there that they go on trying (T3).
    onStderr: () => undefined,
  });
  if (!started.ok) return err({ ...startFailure(started.error, profile), died: false });
  process = started.value;
  order.onProcess(process, connection);
  closeAtEnd(process, connection, lines, noise);
  const session = await untilStopped(port.stop, openSession(connection, order));
  if (session.ok) return ok({ process, connection, session: session.value });
  return err({ ...session.error, died: session.error.reason === 'process' });
}

/** The program is what the agent's definition says, else what its profile does. */
function programOf({ agent }: Assignment, { program }: AgentProfile): { command: string; args: readonly string[] } {
  const command = agent.command ?? program.command;
  return { command, args: agent.args ?? (agent.command === undefined ? program.args : []) };
}

function startFailure({ code, message }: SpawnError, { install }: AgentProfile): Failure {
  const reason = START_FAILURES[code];
  return { reason, message: reason === 'agent_not_found' ? `${message}. To install it: ${install}` : message };
}

/** A connection that nobody answers any more ends, with what the agent said last as its reason. */
function closeAtEnd(
  process: AgentProcess,
  connection: AcpConnection,
  lines: JsonLines,
  noise: readonly string[],
): void {
  void process.exited.then(({ code, signal }) => {
    lines.end();
    const how = signal === null ? `exit ${code ?? '?'}` : `killed by ${signal}`;
    connection.close(new AgentGone(`The agent’s process ended (${how})`, lastWords(process.stderr, noise)));
  });
  void process.closed.then(async () => {
    // Its exit says more, if it comes.
    await Promise.race([process.exited, new Promise((resolve) => setTimeout(resolve, 1000).unref())]);
    connection.close(new AgentGone('The agent closed its output', lastWords(process.stderr, noise)));
  });
}

/** What was last seen of an agent from which nothing came any more: the end of its standard error. */
export function lastSeen(process: AgentProcess | null): Failure | null {
  const words = process === null ? '' : lastWords(process.stderr, []);
  return words === '' ? null : { reason: reasonInWords(words) ?? 'stalled', message: oneLine(words) };
}

function lastWords(stderr: string, noise: readonly string[]): string {
  const lines = plainText(stderr === '' ? noise.join('\n') : stderr).split('\n');
  const said = lines.map((line) => line.trim()).filter((line) => line !== '');
  // After a stack comes more that says nothing.
  return said.findLast((line) => /error|fatal|failed/i.test(line)) ?? said.at(-1) ?? '';
}
