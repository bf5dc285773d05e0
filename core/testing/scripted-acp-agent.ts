import { spawn } from 'node:child_process';
import { appendFileSync, closeSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/*
 * An agent over ACP that does what its script says: `node scripted-acp-agent.ts <script>`. It speaks the protocol by hand, so that it can also
 * break it. The script's default export gets the agent before anything is read.
 */

type Params = Record<string, unknown>;
type Handler = (params: Params) => unknown;

/** An error that the agent answers with. */
class Refusal extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

let sessions = 0;
let calls = 0;
let prompts = 0;
let cancelled: () => void = () => undefined;
let onPrompt: (text: string, count: number) => unknown = () => undefined;
const pending = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();

const send = (message: object): void =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const handlers = new Map<string, Handler>([
  ['initialize', () => ({ protocolVersion: 1, agentCapabilities: {}, authMethods: [] })],
  [
    'session/new',
    (params) => {
      agent.servers = params['mcpServers'];
      agent.session = `session-${(sessions += 1)}`;
      return { sessionId: agent.session };
    },
  ],
  ['session/set_mode', () => ({})],
  [
    'session/prompt',
    async (params) => {
      const text = (params['prompt'] as { text: string }[]).map((block) => block.text).join('\n');
      const result = await onPrompt(text, (prompts += 1));
      return typeof result === 'string' ? { stopReason: result } : (result ?? { stopReason: 'end_turn' });
    },
  ],
]);

/** What a script has at hand. */
export interface ScriptedAcpAgent {
  /** Servers that the session was given. */
  servers: unknown;
  session: string;
  /** Sets what a request is answered with; a value or a function of its parameters. */
  on(method: string, answer: unknown): void;
  /** Sets what a prompt does; it returns a stop reason, a whole answer, or nothing for `end_turn`. */
  prompt(handler: (text: string, count: number) => unknown): void;
  update(update: Params, session?: string): void;
  say(text: string): void;
  /** Tells a tool call, or a change of one. */
  call(id: string, more: Params): void;
  request(method: string, params: Params): Promise<unknown>;
  permit(call: Params): Promise<string>;
  /** Resolves when the client cancels the turn. */
  untilCancelled(): Promise<void>;
  refusal(code: number, message: string, data?: unknown): Error;
  raw(text: string | Buffer): void;
  stderr(text: string): void;
  note(name: string, text: string): void;
  /** Text of a file of the workspace; null without one. */
  read(name: string): string | null;
  /** Nobody hears it any more, and it goes on running. */
  closeOutput(): void;
  file(name: string): Promise<void>;
  shell(script: string, options?: { detached?: boolean }): number;
  wait(ms: number): Promise<void>;
}

const OPTIONS = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

const agent: ScriptedAcpAgent = {
  servers: null,
  session: '',
  on: (method, answer) => void handlers.set(method, typeof answer === 'function' ? (answer as Handler) : () => answer),
  prompt: (handler) => void (onPrompt = handler),
  update: (update, session = agent.session) =>
    send({ method: 'session/update', params: { sessionId: session, update } }),
  say: (text) => agent.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }),
  call: (id, more) => {
    const sessionUpdate = more['title'] === undefined ? 'tool_call_update' : 'tool_call';
    agent.update({ sessionUpdate, toolCallId: id, ...more });
  },
  request: (method, params) => {
    const id = (calls += 1);
    send({ id, method, params: { sessionId: agent.session, ...params } });
    return new Promise((resolve, reject) => pending.set(id, { resolve, reject }));
  },
  permit: async (call) => {
    const answer = await agent.request('session/request_permission', { toolCall: call, options: OPTIONS });
    const { outcome } = answer as { outcome: { outcome: string; optionId?: string } };
    return outcome.optionId ?? outcome.outcome;
  },
  untilCancelled: () => new Promise((resolve) => (cancelled = resolve)),
  refusal: (code, message, data) => new Refusal(code, message, data),
  raw: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  note: (name, text) => appendFileSync(name, `${text}\n`),
  read: (name) => (existsSync(name) ? readFileSync(name, 'utf8') : null),
  closeOutput: () => closeSync(1),
  file: async (name) => {
    while (!existsSync(name)) await wait(5);
  },
  shell: (script, options = {}) => {
    const child = spawn('/bin/sh', ['-c', script], { stdio: 'ignore', detached: options.detached ?? true });
    child.unref();
    return child.pid ?? 0;
  },
  wait: async (ms) => void (await wait(ms)),
};

async function answer(id: number, method: string, params: Params): Promise<void> {
  const handler = handlers.get(method);
  try {
    if (handler === undefined) throw new Refusal(-32601, `Method not found: ${method}`);
    send({ id, result: await handler(params) });
  } catch (error) {
    const { code = -32603, message, data } = error as Refusal;
    send({ id, error: { code, message, ...(data === undefined ? {} : { data }) } });
  }
}

function take(line: string): void {
  const message = JSON.parse(line) as {
    id?: number;
    method?: string;
    params?: Params;
    result?: unknown;
    error?: { message: string };
  };
  if (message.method === 'session/cancel') return cancelled();
  if (message.method !== undefined && message.id !== undefined)
    return void answer(message.id, message.method, message.params ?? {});
  const waiting = message.id === undefined ? undefined : pending.get(message.id);
  if (message.error !== undefined) waiting?.reject(new Error(message.error.message));
  else waiting?.resolve(message.result);
}

writeFileSync(`${process.argv[2] ?? ''}.pid`, String(process.pid));
const script = (await import(pathToFileURL(process.argv[2] ?? '').href)) as {
  default: (agent: ScriptedAcpAgent) => unknown;
};
await script.default(agent);
createInterface({ input: process.stdin })
  .on('line', take)
  .on('close', () => process.exit(0));
