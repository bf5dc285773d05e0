import type { Permission } from '../../../protocol/settings.ts';
import type { Adapter, AdapterContext, CliAgent, Launch } from '../adapter.ts';
import type { AgentFailure } from '../agent-event.ts';
import { classify } from '../classify.ts';
import { count, number, object, text, type Json } from '../json.ts';
import { toolTitle } from '../tool-words.ts';

/** OpenCode without its terminal interface: one prompt a start, given on its input; the session is resumed for the next. */
export const opencode: Adapter = (context) => new OpenCode(context);

/** Nobody can be asked in this mode: what would ask is denied beforehand, so that its model is told so. */
const PERMISSIONS: Readonly<Record<Permission, Json | string>> = {
  plan: { edit: 'deny', bash: 'deny', webfetch: 'deny' },
  ask: { edit: 'deny', bash: 'deny', webfetch: 'deny' },
  edit: { edit: 'allow', bash: 'deny', webfetch: 'deny' },
  auto: 'allow',
};

/** Milliseconds: a delegation may take half a day. */
const TOOL_TIMEOUT_MS = 43_200_000;

class OpenCode implements CliAgent {
  readonly launch: Launch;
  readonly steer = null;
  readonly interrupt = null;
  readonly #context: AdapterContext;
  #session = '';
  #failure: AgentFailure | null = null;
  #finished = false;
  #cut = false;

  constructor(context: AdapterContext) {
    this.#context = context;
    const { assignment, session, prompt } = context;
    const model = assignment.model ?? assignment.agent.model;
    const args = ['run', '--format', 'json'];
    if (model != null) args.push('-m', model);
    if (session !== null) args.push('--session', session);
    this.launch = { args, env: { OPENCODE_CONFIG_CONTENT: configuration(context) }, input: prompt };
  }

  begin(): void {
    // It begins with what stands on its input.
  }

  prompt(): void {
    // Never called: each prompt is a start of its own.
  }

  take(message: Json): void {
    const { emit } = this.#context;
    const session = text(message['sessionID']);
    if (session !== '' && session !== this.#session) emit({ type: 'session', id: (this.#session = session) });
    const part = object(message['part']);
    switch (message['type']) {
      case 'text':
        return emit({ type: 'text', key: text(part['id']), whole: text(part['text']) });
      case 'reasoning':
        return emit({ type: 'reasoning', key: text(part['id']), whole: text(part['text']) });
      case 'tool_use':
        return this.#tool(part);
      case 'step_finish':
        return this.#stepFinish(part);
      case 'error':
        return this.#error(object(message['error']));
      default:
        return undefined;
    }
  }

  /** Its stream has no end of a turn: the last step that was finished, and its exit, are. */
  ended(status: number | null): void {
    if (this.#failure === null && (!this.#finished || status !== 0)) return;
    const limit = this.#cut ? { limit: 'max_tokens' as const } : {};
    this.#context.emit({ type: 'turn_end', failure: this.#failure, interrupted: false, ...limit });
  }

  /** Told when it is over only. */
  #tool(part: Json): void {
    const state = object(part['state']);
    const id = text(part['callID']);
    const name = text(part['tool']);
    const args = object(state['input']);
    this.#context.emit({ type: 'tool', id, name, title: toolTitle(name, args), arguments: JSON.stringify(args) });
    const isError = state['status'] === 'error';
    const exit_code = number(object(state['metadata'])['exit']);
    const display =
      name === 'bash'
        ? { type: 'output' as const, command: text(args['command']), exit_code, signal: null, spill_path: null }
        : null;
    const status = isError || (exit_code !== null && exit_code !== 0) ? 'error' : 'ok';
    this.#context.emit({ type: 'tool_end', id, status, text: text(state['output']) || text(state['error']), display });
  }

  #stepFinish(part: Json): void {
    const tokens = object(part['tokens']);
    const cache = object(tokens['cache']);
    const cost = number(part['cost']);
    this.#context.emit({
      type: 'usage',
      as: 'add',
      tokens: {
        input: count(tokens['input']),
        cached_input: count(cache['read']),
        cache_write: count(cache['write']),
        output: count(tokens['output']),
        reasoning: count(tokens['reasoning']),
      },
      // A model without a price costs 0 by its own sums, which is no known cost (R5).
      cost_usd: cost === 0 ? null : cost,
    });
    this.#context.emit({ type: 'message_end' });
    this.#finished = part['reason'] !== 'tool-calls';
    this.#cut = part['reason'] === 'length';
  }

  #error(error: Json): void {
    const data = object(error['data']);
    this.#failure = classify(text(data['message']) || text(error['name']), number(data['statusCode']));
  }
}

/** What the environment configures already, with our server and the run's permissions. */
function configuration({ assignment, server }: AdapterContext): string {
  const { environment, agent, permission } = assignment;
  const own = parsed(agent.env?.['OPENCODE_CONFIG_CONTENT'] ?? environment['OPENCODE_CONFIG_CONTENT'] ?? '');
  const mcp = { ...object(own['mcp']) };
  if (server !== null) {
    const command = [server.command, ...server.args];
    mcp[server.name] = { type: 'local', command, environment: server.env, enabled: true };
  }
  const experimental = { ...object(own['experimental']), mcp_timeout: TOOL_TIMEOUT_MS };
  return JSON.stringify({ ...own, mcp, experimental, permission: PERMISSIONS[permission] });
}

function parsed(source: string): Json {
  try {
    return object(JSON.parse(source) as unknown);
  } catch {
    return {}; // None, or none that it could read either.
  }
}
