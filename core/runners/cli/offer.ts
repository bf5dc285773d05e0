import { join } from 'node:path';
import { openBridge, type Bridge, type BridgeHandlers } from '../../mcp/bridge/open-bridge.ts';
import type { Assignment } from '../../protocol/frames.ts';
import type { AgentProfile } from '../../protocol/profiles/profile.ts';
import { describesObjects } from '../../protocol/report-tool.ts';
import type { RunnerPort } from '../contract.ts';
import { StructuredOutput } from '../structured-output.ts';

/** What a run offers its agent over MCP: delegation, questions, its structured output. */
export interface Offer {
  readonly bridge: Bridge | null;
  readonly output: StructuredOutput | null;
  /** Delegations in the background whose completion has not come yet. */
  readonly openDelegations: Set<string>;
  close(): Promise<void>;
}

/** Opens the bridge, where the agent can be given one. */
export async function openOffer(assignment: Assignment, port: RunnerPort, profile: AgentProfile): Promise<Offer> {
  const { output_schema: schema, delegate, spill_folder } = assignment;
  const output = isSchema(schema) ? await StructuredOutput.open(schema) : null;
  const openDelegations = new Set<string>();
  if (profile.delegates.by === 'unsupported') return { bridge: null, output, openDelegations, close: nothing };
  const handlers: BridgeHandlers = {
    async call(callId, tool, args) {
      const { isError, text, background } = await port.call(callId, tool, args);
      if (background !== null) openDelegations.add(background);
      return { isError, text };
    },
    async ask({ title, detail }) {
      const answer = await port.ask({ kind: 'question', title, tool: null, detail, diff: null });
      return answer.note;
    },
    reportResult(value) {
      if (output === null) return { isError: true, text: 'No structured output was asked for.' };
      const wrapped = isSchema(schema) && !describesObjects(schema) ? { result: value } : value;
      const accepted = output.takeArguments(wrapped as Readonly<Record<string, unknown>>);
      return accepted ? { isError: false, text: 'Accepted.' } : { isError: true, text: output.rejection };
    },
  };
  const bridge = await openBridge({
    handlers,
    offer: {
      delegate: delegate !== null,
      ...(delegate === null ? {} : { delegateDescription: delegate.description }),
      ask: true,
      outputSchema: schema ?? null,
    },
    folder: join(spill_folder, 'bridge'),
    clock: port.clock,
  });
  return { bridge, output, openDelegations, close: () => bridge.close() };
}

const nothing = (): Promise<void> => Promise.resolve();

function isSchema(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
