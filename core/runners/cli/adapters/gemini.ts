import type { Permission } from '../../../protocol/settings.ts';
import type { Adapter, AdapterContext, CliAgent, Launch } from '../adapter.ts';
import { classify } from '../classify.ts';
import { count, object, text, type Json } from '../json.ts';
import { toolTitle } from '../tool-words.ts';

/** Gemini CLI without its terminal interface: one prompt a start, given on its input; the session is resumed for the next. */
export const gemini: Adapter = (context) => new Gemini(context);

/** Nobody can be asked in this mode: what would ask is denied by it. */
const APPROVAL: Readonly<Record<Permission, string>> = {
  plan: 'default',
  ask: 'default',
  edit: 'auto_edit',
  auto: 'yolo',
};

class Gemini implements CliAgent {
  readonly launch: Launch;
  readonly steer = null;
  readonly interrupt = null;
  readonly #context: AdapterContext;
  #messages = 0;
  #speaks = false;
  #over = false;

  constructor(context: AdapterContext) {
    this.#context = context;
    const { assignment, session, prompt } = context;
    const model = assignment.model ?? assignment.agent.model;
    const args = ['--output-format', 'stream-json', '--approval-mode', APPROVAL[assignment.permission]];
    if (model != null) args.push('-m', model);
    if (session !== null) args.push('--resume', session);
    this.launch = { args, env: {}, input: prompt };
  }

  begin(): void {
    // It begins with what stands on its input.
  }

  prompt(): void {
    // Never called: each prompt is a start of its own.
  }

  take(message: Json): void {
    const { emit } = this.#context;
    switch (message['type']) {
      case 'init':
        return emit({ type: 'session', id: text(message['session_id']) });
      case 'message':
        return this.#message(message);
      case 'tool_use': {
        this.#endMessage();
        const name = text(message['tool_name']);
        const args = object(message['parameters']);
        const id = text(message['tool_id']);
        return emit({ type: 'tool', id, name, title: toolTitle(name, args), arguments: JSON.stringify(args) });
      }
      case 'tool_result': {
        const status = message['status'] === 'success' ? 'ok' : 'error';
        const words = text(message['output']) || text(object(message['error'])['message']);
        return emit({ type: 'tool_end', id: text(message['tool_id']), status, text: words, display: null });
      }
      case 'error':
        return emit({ type: 'notice', level: 'warning', text: text(message['message']) });
      case 'result':
        return this.#result(message);
      default:
        return undefined;
    }
  }

  /** A start that failed before anything was said says why on its other output only. */
  ended(): void {
    this.#endMessage();
  }

  #message(message: Json): void {
    if (message['role'] !== 'assistant') return;
    if (!this.#speaks) this.#messages += 1;
    this.#speaks = true;
    this.#context.emit({ type: 'text', key: String(this.#messages), delta: text(message['content']) });
  }

  #endMessage(): void {
    if (!this.#speaks) return;
    this.#speaks = false;
    this.#context.emit({ type: 'message_end' });
  }

  #result(message: Json): void {
    if (this.#over) return;
    this.#over = true;
    this.#endMessage();
    const stats = object(message['stats']);
    const cached_input = count(stats['cached']);
    const output = count(stats['output_tokens']);
    const input = count(stats['input_tokens']);
    const tokens = {
      input: Math.max(0, input - cached_input),
      cached_input,
      cache_write: 0,
      output,
      // What is in the sum and in neither part: thoughts.
      reasoning: Math.max(0, count(stats['total_tokens']) - input - output),
    };
    this.#context.emit({ type: 'usage', as: 'total', tokens, cost_usd: null });
    const error = object(message['error']);
    const failure = message['status'] === 'success' ? null : classify(text(error['message']) || JSON.stringify(error));
    this.#context.emit({ type: 'turn_end', failure, interrupted: false });
  }
}
