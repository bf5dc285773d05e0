import { DELEGATE, DELEGATE_INPUT } from '../../protocol/delegate-tool.ts';
import { REPORT, REPORT_DESCRIPTION, reportInput } from '../../protocol/report-tool.ts';

/** The tool through which an agent asks a person. */
export const ASK = 'ask_user';

/** Which tools an agent is given. */
export interface BridgeOffer {
  readonly delegate: boolean;
  /** Text of the delegate tool with the limits in force (K6), as in `assignment.delegate.description`. */
  readonly delegateDescription?: string;
  readonly ask: boolean;
  /** JSON Schema of the output that was asked for; null when there is none. */
  readonly outputSchema: unknown;
}

/** Over MCP the results of a delegation in the background may have to be asked for (P6). */
const DELEGATE_OVER_MCP = {
  ...DELEGATE_INPUT,
  properties: {
    ...DELEGATE_INPUT.properties,
    action: {
      type: 'string',
      enum: ['spawn', 'list', 'wait', 'steer', 'stop', 'answer'],
      description:
        'spawn (default) starts tasks; wait returns the results of tasks in the background; the others act on runs below you',
    },
    delegation_id: { type: 'string', description: 'wait: the delegation; all that are open if left out' },
  },
};

/** A tool as MCP tells it. */
export interface BridgeTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>> & { readonly type: 'object' };
}

const DELEGATE_DESCRIPTION =
  'Starts tasks that other agents do side by side, and controls them. Use it for independent pieces of work; not for what you can do yourself in a few steps.';

const ASK_TOOL: BridgeTool = {
  name: ASK,
  description:
    'Asks the person who gave the task, and waits for the answer. Only for a decision that you cannot take yourself: everybody waits meanwhile.',
  inputSchema: {
    type: 'object',
    properties: {
      question: { type: 'string', description: 'one line' },
      detail: { type: 'string', description: 'what one must know to answer, and the choices' },
    },
    required: ['question'],
  },
};

/** The tools of an offer, in one order. */
export function bridgeTools(offer: BridgeOffer): readonly BridgeTool[] {
  const { delegate, delegateDescription = DELEGATE_DESCRIPTION, ask, outputSchema } = offer;
  const tools: BridgeTool[] = [];
  if (delegate) tools.push({ name: DELEGATE, description: delegateDescription, inputSchema: DELEGATE_OVER_MCP });
  if (ask) tools.push(ASK_TOOL);
  if (isSchema(outputSchema)) {
    // MCP wants the root to say that it is an object.
    const inputSchema = { ...reportInput(outputSchema), type: 'object' as const };
    tools.push({ name: REPORT, description: REPORT_DESCRIPTION, inputSchema });
  }
  return tools;
}

/** Whether a value can be a schema of an output. */
export function isSchema(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
