import { createHash } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  CancelledNotificationSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../../kit/clock.ts';
import { actionOf } from '../delegate-call.ts';
import { DELEGATE, NOTHING_TO_WAIT_FOR } from '../../protocol/delegate-tool.ts';
import { outputOf, REPORT } from '../../protocol/report-tool.ts';
import { ASK, bridgeTools, isSchema, type BridgeOffer } from './bridge-tools.ts';
import type { OpenCalls } from './open-calls.ts';
import { type CallAnswer } from './open-calls.ts';

/** Clients that wait no longer than a fixed time without a sign of life get one so often. */
const PROGRESS_MS = 10_000;

/** What the tools of an agent lead to. */
export interface BridgeHandlers {
  /**
   * `delegate_task` with its controls, by the meaning of a runner's calls to the core. `callId` is unique for the life of the bridge; the same id
   * means the same call (P7).
   */
  call(callId: string, tool: string, args: unknown): Promise<CallAnswer>;
  /** `ask_user`: the person's words, or null when nobody answers. */
  ask(question: { title: string; detail: string }): Promise<string | null>;
  /** `report_result`: whether the output was accepted, with the errors. */
  reportResult(output: unknown): CallAnswer;
}

/** What the servers of one bridge share: an agent may connect more than once, also one after the other. */
export interface BridgeContext {
  readonly handlers: BridgeHandlers;
  readonly offer: BridgeOffer;
  readonly clock: Clock;
  readonly version: string;
  readonly open: OpenCalls;
  /** The text of the delegate tool, where it is not known beforehand. */
  describe?(): Promise<string>;
  /** An agent has listed the tools. */
  onListed(): void;
}

interface Request {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly callId: string;
  readonly signal: AbortSignal;
}

/** An MCP server with the tools of the offer; `connection` makes its request ids unique among the connections of a bridge. */
export function bridgeServer(context: BridgeContext, connection: string): Server {
  const { clock, offer, version } = context;
  const server = new Server({ name: 'espalier', version }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    context.onListed();
    const delegateDescription = (await context.describe?.()) ?? offer.delegateDescription;
    return { tools: [...bridgeTools({ ...offer, delegateDescription })] };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { name, arguments: args = {}, _meta: meta } = params;
    const token = meta?.progressToken;
    const tell = (progress: number): void => {
      if (token === undefined) return;
      const message = `Waiting since ${(progress * PROGRESS_MS) / 1000} s`;
      // Told for a client that has gone it is of no use to anybody.
      extra
        .sendNotification({ method: 'notifications/progress', params: { progressToken: token, progress, message } })
        .catch(() => undefined);
    };
    let ticks = 0;
    const stopTelling = clock.every(PROGRESS_MS, () => tell((ticks += 1)));
    try {
      const callId = callIdOf(connection, extra.requestId);
      const { isError, text } = await carriedOut(context, { name, args, callId, signal: extra.signal });
      return { content: [{ type: 'text' as const, text }], isError };
    } finally {
      stopTelling();
    }
  });
  return server;
}

/** Hears what a client gives up also when its answer has left: the server itself no longer does. Before the server is connected. */
export function hearGivenUp(transport: Transport, open: OpenCalls, connection: string): void {
  transport.onmessage = (message) => {
    const cancelled = CancelledNotificationSchema.safeParse(message);
    const id = cancelled.success ? cancelled.data.params.requestId : undefined;
    if (id !== undefined) open.givenUp(callIdOf(connection, id));
  };
}

function callIdOf(connection: string, requestId: string | number): string {
  return `mcp:${connection}:${requestId}`;
}

async function carriedOut({ handlers, offer, open }: BridgeContext, request: Request): Promise<CallAnswer> {
  const { name, args, callId, signal } = request;
  if (!bridgeTools(offer).some((tool) => tool.name === name)) return refusal(`There is no tool ${name}.`);
  try {
    if (name === DELEGATE) {
      const begin = (): Promise<CallAnswer> => handlers.call(callId, name, args);
      if (!isKept(args)) return await begin();
      const answer = await open.answer(contentOf(args), { request: callId, gone: signal }, begin);
      return actionOf(args) === 'wait' && !signal.aborted ? withUnheard(open, args, answer) : answer;
    }
    if (name === ASK) return await asked(handlers, args);
    if (name === REPORT && isSchema(offer.outputSchema)) return reported(handlers, offer.outputSchema, args);
    return refusal(`There is no tool ${name}.`);
  } catch (cause) {
    return refusal(`Not done: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

function refusal(text: string): CallAnswer {
  return { isError: true, text };
}

/** What is begun only once, and what may take long: a client may give up on it and ask again. */
function isKept(args: Request['args']): boolean {
  const action = actionOf(args);
  return action === 'spawn' || action === 'wait';
}

/** A call that waits also brings what came of calls that the client gave up: the core has told it, and nobody heard (P2, P6). */
function withUnheard(open: OpenCalls, args: Request['args'], answer: CallAnswer): CallAnswer {
  if (answer.isError) return answer;
  const { delegation_id: id } = args;
  const unheard = open.unheard(answer.text, typeof id === 'string' && id !== '' ? id : null);
  if (unheard.length === 0) return answer;
  const told = answer.text === NOTHING_TO_WAIT_FOR ? [] : [answer.text];
  return { isError: false, text: [...unheard, ...told].join('\n\n') };
}

/** The same for the same arguments, in whatever order their fields stand. */
function contentOf(args: unknown): string {
  return createHash('sha256').update(canonical(args)).digest('hex');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}

async function asked(handlers: BridgeHandlers, { question, detail }: Request['args']): Promise<CallAnswer> {
  if (typeof question !== 'string' || question.trim() === '') return refusal('ask_user needs a question.');
  const answer = await handlers.ask({ title: question.trim(), detail: typeof detail === 'string' ? detail : '' });
  if (answer === null) return refusal('Nobody answered. Decide for yourself, and say in your answer what you assumed.');
  return { isError: false, text: answer };
}

function reported(
  handlers: BridgeHandlers,
  schema: Readonly<Record<string, unknown>>,
  args: Request['args'],
): CallAnswer {
  const output = outputOf(schema, args);
  return output === undefined ? refusal('The field "result" is missing.') : handlers.reportResult(output);
}
