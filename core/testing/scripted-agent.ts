import { appendFileSync, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { StdioServer, type ServerStart } from './stdio-server.ts';

/*
 * An agent that does what its script says: `node scripted-agent.ts acp|cli <script> [arguments]`, over the Agent Client Protocol or by the stream of
 * JSON lines that Claude Code speaks. The script's default export gets the agent before anything is read; it is the same for both.
 */

/** What a script has at hand. */
export interface ScriptedAgent {
  /** The id of its session, once it has one. */
  readonly session: string;
  /** The session that it was told to go on with; null for a new one. */
  readonly resumed: string | null;
  /** Sets the id of a new session; null: it never tells one (CLI only). */
  name(session: string | null): void;
  /** Sets what a prompt does; what it returns is said as the answer. */
  prompt(handler: (text: string, count: number) => unknown): void;
  say(text: string): void;
  /** Tells that a command runs; the answer tells its end. */
  tool(command: string): (output: string) => void;
  /** Asks whether a command may run. */
  permit(command: string): Promise<boolean>;
  /** Calls a tool of the server that it was given. */
  call(tool: string, args: object): Promise<string>;
  /** What was said while it worked; null when its turn was cancelled instead. */
  news(): Promise<string | null>;
  /** What the turn cost, US dollars. */
  spend(usd: number): void;
  note(name: string, text: string): void;
  /** Resolves when the file is there. */
  file(name: string): Promise<void>;
  /** Starts a shell in a session of its own, as agents start their tools. */
  shell(script: string): void;
  /** Ends its turn with an error of its provider. */
  fail(status: number, message: string): never;
}

type Json = Record<string, unknown>;

/** A provider's error, as the dialects tell it. */
class Fault extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Of each turn; the cached tokens are not among the input. */
const USAGE = { input: 10, cached: 100, output: 5 };

const send = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
const object = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});

let session: string | null = `session-${process.pid}`;
let resumed: string | null = null;
let server: ServerStart | null = null;
let connected: StdioServer | null = null;
let prompts = 0;
let requests = 0;
let tools = 0;
let said = '';
let spent = 0;
let onPrompt: (text: string, count: number) => unknown = () => 'Done.';
let news = Promise.withResolvers<string | null>();
let cancelled = false;
const waiting = new Map<string, (answer: Json) => void>();

/** How one dialect tells what the agent does. */
interface Dialect {
  say(text: string): void;
  toolBegins(id: string, command: string): void;
  toolEnds(id: string, output: string): void;
  permit(command: string): Promise<boolean>;
  take(message: Json): void;
}

function request(id: string, message: object): Promise<Json> {
  send(message);
  return new Promise((resolve) => waiting.set(id, resolve));
}

function cancel(): void {
  cancelled = true;
  news.resolve(null);
}

/** One turn: what the script did, and why it failed. */
async function turn(text: string): Promise<Fault | null> {
  said = '';
  cancelled = false;
  news = Promise.withResolvers();
  try {
    const answer = await onPrompt(text, (prompts += 1));
    if (typeof answer === 'string') agent.say(answer);
    return null;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

class Acp implements Dialect {
  say(text: string): void {
    this.#update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  }

  toolBegins(toolCallId: string, command: string): void {
    const call = { toolCallId, title: command, kind: 'execute', status: 'in_progress', rawInput: { command } };
    this.#update({ sessionUpdate: 'tool_call', ...call });
  }

  toolEnds(toolCallId: string, text: string): void {
    const content = [{ type: 'content', content: { type: 'text', text } }];
    this.#update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content });
  }

  async permit(command: string): Promise<boolean> {
    const toolCall = { toolCallId: command, title: command, kind: 'execute', rawInput: { command } };
    const options = [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ];
    const id = `r${(requests += 1)}`;
    const params = { sessionId: session, toolCall, options };
    const answer = await request(id, { jsonrpc: '2.0', id, method: 'session/request_permission', params });
    return object(object(answer['result'])['outcome'])['optionId'] === 'yes';
  }

  take(message: Json): void {
    const { id, method } = message;
    if (method === undefined) return waiting.get(String(id))?.(message);
    if (method === 'session/cancel') return cancel();
    if (id !== undefined) void this.#answer(id, String(method), object(message['params']));
  }

  async #answer(id: unknown, method: string, params: Json): Promise<void> {
    const result = (value: unknown): void => send({ jsonrpc: '2.0', id, result: value });
    const error = (code: number, message: string, data?: object): void =>
      send({ jsonrpc: '2.0', id, error: { code, message, data } });
    switch (method) {
      case 'initialize':
        return result({ protocolVersion: 1, agentCapabilities: { loadSession: true }, authMethods: [] });
      case 'session/new':
      case 'session/load':
        [server = null] = params['mcpServers'] as ServerStart[];
        if (typeof params['sessionId'] === 'string') session = resumed = params['sessionId'];
        return result(method === 'session/new' ? { sessionId: session } : {});
      case 'session/prompt': {
        const text = (params['prompt'] as { text: string }[]).map((block) => block.text).join('\n');
        const fault = await turn(text);
        if (fault !== null) return error(-32603, fault.message, { errorKind: kindOf(fault.status) });
        const cost = { amount: spent, currency: 'USD' };
        this.#update({ sessionUpdate: 'usage_update', used: 10, size: 1000, cost });
        const { input: inputTokens, cached: cachedReadTokens, output: outputTokens } = USAGE;
        const totalTokens = inputTokens + cachedReadTokens + outputTokens;
        const usage = { inputTokens, cachedReadTokens, outputTokens, totalTokens };
        return result({ stopReason: cancelled ? 'cancelled' : 'end_turn', usage });
      }
      default:
        return error(-32601, `Method not found: ${method}`);
    }
  }

  #update(update: object): void {
    send({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: session, update } });
  }
}

function kindOf(status: number): string {
  if (status === 401) return 'authentication_failed';
  return status === 429 ? 'rate_limit' : 'server_error';
}

class Cli implements Dialect {
  #working = false;

  constructor(args: readonly string[]) {
    const after = (name: string): string | null => args[args.indexOf(name) + 1] ?? null;
    if (args.includes('--resume')) session = resumed = after('--resume');
    const config = args.includes('--mcp-config') ? after('--mcp-config') : null;
    const servers = object(object(JSON.parse(config ?? '{}'))['mcpServers']);
    server = (Object.values(servers)[0] as ServerStart | undefined) ?? null;
  }

  say(text: string): void {
    this.#assistant({ type: 'text', text });
  }

  toolBegins(id: string, command: string): void {
    this.#assistant({ type: 'tool_use', id, name: 'Bash', input: { command } });
  }

  toolEnds(id: string, content: string): void {
    send({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content }] } });
  }

  async permit(command: string): Promise<boolean> {
    const request_id = `r${(requests += 1)}`;
    const asked = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command } };
    const { response } = await request(request_id, { type: 'control_request', request_id, request: asked });
    return object(object(response)['response'])['behavior'] === 'allow';
  }

  take(message: Json): void {
    const response = object(message['response']);
    if (message['type'] === 'control_response') return waiting.get(String(response['request_id']))?.(message);
    if (object(message['request'])['subtype'] === 'interrupt') return cancel();
    if (message['type'] !== 'user') return;
    const text = String(object(message['message'])['content']);
    if (!this.#working) return void this.#turn(message, text);
    send({ ...message, isReplay: true });
    news.resolve(text);
  }

  async #turn(message: Json, text: string): Promise<void> {
    this.#working = true;
    send({ type: 'system', subtype: 'init', ...(session === null ? {} : { session_id: session }) });
    send({ ...message, isReplay: true });
    const fault = await turn(text);
    this.#working = false;
    const model = {
      inputTokens: USAGE.input * prompts,
      cacheReadInputTokens: USAGE.cached * prompts,
      outputTokens: USAGE.output * prompts,
    };
    // The empty object is no output of anybody (T3).
    const end = { type: 'result', total_cost_usd: spent, modelUsage: { model }, structured_output: {} };
    if (cancelled) return send({ ...end, subtype: 'error_during_execution', is_error: true, errors: ['interrupted'] });
    const failed = { is_error: true, result: `API Error: ${fault?.message ?? ''}`, api_error_status: fault?.status };
    send({ ...end, subtype: 'success', is_error: false, result: said, ...(fault === null ? {} : failed) });
  }

  #assistant(block: object): void {
    send({ type: 'assistant', message: { content: [block] } });
    send({ type: 'stream_event', event: { type: 'message_stop' } });
  }
}

const [, , kind = '', script = '', ...args] = process.argv;
const dialect: Dialect = kind === 'acp' ? new Acp() : new Cli(args);

const agent: ScriptedAgent = {
  get session() {
    return session ?? '';
  },
  get resumed() {
    return resumed;
  },
  name: (name) => (session = resumed ?? name),
  prompt: (handler) => void (onPrompt = handler),
  say: (text) => {
    said = text;
    dialect.say(text);
  },
  tool: (command) => {
    const id = `${process.pid}-${(tools += 1)}`;
    dialect.toolBegins(id, command);
    return (output) => dialect.toolEnds(id, output);
  },
  permit: (command) => dialect.permit(command),
  call: async (tool, input) => {
    if (server === null) throw new Error('the agent was given no server');
    connected ??= await StdioServer.start(server);
    return connected.call(tool, input);
  },
  news: () => news.promise,
  spend: (usd) => void (spent += usd),
  note: (name, text) => appendFileSync(name, `${text}\n`),
  file: async (name) => {
    while (!existsSync(name)) await wait(10);
  },
  shell: (line) => spawn('/bin/sh', ['-c', line], { stdio: 'ignore', detached: true }).unref(),
  fail: (status, message) => {
    throw new Fault(status, message);
  },
};

const { default: begin } = (await import(pathToFileURL(script).href)) as { default: (it: ScriptedAgent) => unknown };
await begin(agent);
createInterface({ input: process.stdin })
  .on('line', (line) => dialect.take(object(JSON.parse(line))))
  .on('close', () => process.exit(0));
