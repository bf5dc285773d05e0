import type { BridgeHandlers } from '../../mcp/bridge/open-bridge.ts';
import type { Assignment } from '../../protocol/frames.ts';
import type { RunnerPort } from '../contract.ts';
import { startsCommand, waitsForChildren } from '../../mcp/delegate-call.ts';
import type { StructuredOutput } from '../structured-output.ts';
import { untilStopped } from '../until-stopped.ts';
import type { CallLog } from './call-log.ts';
import { fieldsOf } from './wire.ts';

/** What the calls that come over the bridge need of the run. */
interface BridgedRun {
  readonly assignment: Assignment;
  readonly port: RunnerPort;
  readonly output: StructuredOutput | null;
  readonly calls: () => CallLog;
  /** A delegation goes on in the background. */
  background(delegationId: string): void;
}

/** Carries out what an agent calls over our MCP server, by the meaning of the loop's own tools. */
export function bridgeHandlers({ assignment, port, output, calls, background }: BridgedRun): BridgeHandlers {
  let waiting = 0;
  let allowed = false;
  const mayStart = async (args: unknown): Promise<string | null> => {
    const commands = assignment.delegate?.command_agents ?? ['command'];
    if (allowed || assignment.permission === 'auto' || !startsCommand(fieldsOf(args), commands)) return null;
    if (assignment.permission === 'plan') return 'Not run: in the permission mode "plan" nothing is executed.';
    const detail = JSON.stringify(args, null, 2);
    const title = 'Delegate to the agent command';
    const answer = await port.ask({ kind: 'permission', title, tool: 'delegate_task', detail, diff: null });
    if (answer.choice !== 'allow') return `Not run: permission was denied${answer.note ? `: ${answer.note}` : ''}.`;
    allowed ||= answer.remember;
    return null;
  };
  return {
    async call(callId, tool, args) {
      port.alive();
      const refusal = await untilStopped(port.stop, mayStart(args));
      if (refusal !== null) return { isError: true, text: refusal };
      const waits = waitsForChildren(fieldsOf(args), assignment.delegate?.wait_default ?? true);
      if (waits && (waiting += 1) === 1) port.state('waiting', 'children');
      try {
        const result = await untilStopped(port.stop, port.call(callId, tool, args));
        if (result.background !== null) background(result.background);
        calls().bridged(tool, result.display);
        return { isError: result.isError, text: result.text };
      } finally {
        if (waits && (waiting -= 1) === 0 && !port.stop.aborted) port.state('running');
      }
    },
    async ask({ title, detail }) {
      const answer = await untilStopped(
        port.stop,
        port.ask({ kind: 'question', title, tool: null, detail, diff: null }),
      );
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
