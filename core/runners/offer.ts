import { join } from 'node:path';
import { openBridge, type Bridge } from '../mcp/bridge/open-bridge.ts';
import type { Assignment } from '../protocol/frames.ts';
import type { AgentProfile } from '../protocol/profiles/profile.ts';
import { bridgeHandlers, type BridgedRun } from './bridge-handlers.ts';
import type { RunnerPort } from './contract.ts';
import { isSchema, StructuredOutput } from './structured-output.ts';

/** What a run offers its agent over MCP: delegation, questions, its structured output. */
export interface Offer {
  /** Null where the agent cannot be given one. */
  readonly bridge: Bridge | null;
  readonly output: StructuredOutput | null;
  /** Delegations in the background whose completion has not come yet. */
  readonly openDelegations: Set<string>;
  close(): Promise<void>;
}

/**
 * Opens the bridge, where the agent can be given one.
 *
 * @param open delegations that were open already when the session was left
 * @param told the core has carried out a call
 */
export async function openOffer(
  assignment: Assignment,
  port: RunnerPort,
  profile: AgentProfile,
  { open = [], told }: { readonly open?: readonly string[]; readonly told?: BridgedRun['told'] } = {},
): Promise<Offer> {
  const { output_schema: schema, delegate, spill_folder } = assignment;
  const output = isSchema(schema) ? await StructuredOutput.open(schema) : null;
  const openDelegations = new Set(open);
  if (profile.delegates.by === 'unsupported') return { bridge: null, output, openDelegations, close: nothing };
  const handlers = bridgeHandlers({
    assignment,
    port,
    output,
    told: (tool, result) => {
      if (result.background !== null) openDelegations.add(result.background);
      told?.(tool, result);
    },
  });
  const bridge = await openBridge({
    handlers,
    offer: {
      delegate: delegate !== null,
      ...(delegate === null ? {} : { delegateDescription: delegate.description }),
      ask: true,
      outputSchema: output === null ? null : schema,
    },
    folder: join(spill_folder, 'bridge'),
    clock: port.clock,
  });
  return { bridge, output, openDelegations, close: () => bridge.close() };
}

const nothing = (): Promise<void> => Promise.resolve();
