import type { BridgeHandlers } from '../mcp/bridge/open-bridge.ts';
import { startsCommand, waitsForChildren } from '../mcp/delegate-call.ts';
import { DELEGATE } from '../protocol/delegate-tool.ts';
import type { Assignment } from '../protocol/frames.ts';
import type { CallResult, RunnerPort } from './contract.ts';
import type { StructuredOutput } from './structured-output.ts';
import { untilStopped } from './until-stopped.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the calls that come over the bridge need of the run. */
export interface BridgedRun {
  readonly assignment: Pick<Assignment, 'permission' | 'delegate'>;
  readonly port: RunnerPort;
  readonly output: StructuredOutput | null;
  /** The core has carried out a call. */
  told(tool: string, result: CallResult): void;
}

/**
 * Carries out what an agent outside of us calls over our MCP server, by the meaning of the loop's own tools: what runs a program of the agent's choice
 * asks first (A1), and a run that waits for its children says so and gives its place back (R1).
 */
export function bridgeHandlers({ assignment, port, output, told }: BridgedRun): BridgeHandlers {
  let waiting = 0;
  const consent = new Consent(assignment, port);
  return {
    async call(callId, tool, args) {
      port.alive();
      const fields = fieldsOf(args);
      const refusal = await untilStopped(port.stop, consent.refusal(fields));
      if (refusal !== null) return { isError: true, text: refusal };
      const waits = waitsForChildren(fields, assignment.delegate?.wait_default ?? true);
      if (waits && (waiting += 1) === 1) port.state('waiting', 'children');
      try {
        const result = await untilStopped(port.stop, port.call(callId, tool, args));
        told(tool, result);
        return { isError: result.isError, text: result.text };
      } finally {
        if (waits && (waiting -= 1) === 0 && !port.stop.aborted) port.state('running');
      }
    },
    async ask({ title, detail }) {
      const question = { kind: 'question', title, tool: null, detail, diff: null } as const;
      const answer = await untilStopped(port.stop, port.ask(question));
      const words = answer.note?.trim() ?? '';
      return answer.choice === 'deny' || words === '' ? null : words;
    },
    reportResult(value) {
      if (output === null) return { isError: true, text: 'No structured output was asked for.' };
      if (output.takeValue(value)) return { isError: false, text: 'Accepted.' };
      return { isError: true, text: output.rejection };
    },
  };
}

/** Asks for programs that a delegation would run, and remembers what a person allowed for the rest of the run (A1). */
class Consent {
  readonly #assignment: BridgedRun['assignment'];
  readonly #port: RunnerPort;
  #remembered = false;

  constructor(assignment: BridgedRun['assignment'], port: RunnerPort) {
    this.#assignment = assignment;
    this.#port = port;
  }

  /** Null when the call may be made, else why not, for the model. */
  async refusal(args: Fields): Promise<string | null> {
    const { permission, delegate } = this.#assignment;
    const commands = delegate?.command_agents ?? ['command'];
    if (this.#remembered || permission === 'auto' || !startsCommand(args, commands)) return null;
    if (permission === 'plan') return 'Not run: in the permission mode "plan" nothing is executed.';
    const answer = await this.#port.ask({
      kind: 'permission',
      title: 'Delegate to the agent command',
      tool: DELEGATE,
      detail: JSON.stringify(args, null, 2),
      diff: null,
    });
    if (answer.choice !== 'allow') return `Not run: permission was denied${answer.note ? `: ${answer.note}` : ''}.`;
    this.#remembered = answer.remember;
    return null;
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
