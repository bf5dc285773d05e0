import type { Adapter, AdapterContext, CliAgent, Launch } from '../adapter.ts';
import type { AgentFailure } from '../agent-event.ts';
import { classify } from '../classify.ts';
import { blockText, count, number, object, objects, text, type Json } from '../json.ts';
import { ownToolNames } from '../../own-tools.ts';
import { toolTitle } from '../tool-words.ts';
import { PI_CLI } from '../../../protocol/profiles/cli/pi.ts';

/** pi by its rpc mode: steering and interrupts are commands of its own; it asks for no permission. */
export const pi: Adapter = (context) => new Pi(context);

class Pi implements CliAgent {
  readonly launch: Launch;
  readonly #context: AdapterContext;
  /** Steering texts that were sent, by their words: pi shows a text in its stream when it is part of the turn. */
  readonly #sent: { id: string; words: string }[] = [];
  readonly #commands = new Map<string, string>();
  #messages = 0;
  #failure: AgentFailure | null = null;
  #cut = false;

  constructor(context: AdapterContext) {
    this.#context = context;
    this.launch = { args: argumentsFor(context), env: {}, input: null };
  }

  begin(): void {
    this.#context.send({ id: 'state', type: 'get_state' });
  }

  prompt(message: string): void {
    this.#failure = null;
    this.#cut = false;
    this.#context.send({ id: 'prompt', type: 'prompt', message });
  }

  readonly steer = (id: string, words: string): void => {
    this.#sent.push({ id, words });
    this.#context.send({ id: `steer:${id}`, type: 'steer', message: words });
  };

  readonly interrupt = (): void => this.#context.send({ id: 'abort', type: 'abort' });

  take(message: Json): void {
    const { emit } = this.#context;
    switch (message['type']) {
      case 'response':
        return this.#response(message);
      case 'message_start':
        return this.#messageStart(object(message['message']));
      case 'message_update':
        return this.#update(object(message['assistantMessageEvent']));
      case 'message_end':
        return this.#messageEnd(object(message['message']));
      case 'tool_execution_start': {
        const name = text(message['toolName']);
        const args = object(message['args']);
        const id = text(message['toolCallId']);
        this.#commands.set(id, text(args['command']));
        return emit({ type: 'tool', id, name, title: toolTitle(name, args), arguments: JSON.stringify(args) });
      }
      case 'tool_execution_update': {
        const partial = blockText(object(message['partialResult'])['content']);
        return emit({ type: 'tool_output', id: text(message['toolCallId']), text: partial, whole: true });
      }
      case 'tool_execution_end':
        return this.#toolEnd(message);
      case 'auto_retry_start': {
        const failure = classify(text(message['errorMessage']));
        const tries = `${count(message['attempt'])} of ${count(message['maxAttempts'])}`;
        return emit({ type: 'retry', text: `${failure.message}; retry ${tries}`, failure });
      }
      case 'agent_settled':
        return emit({
          type: 'turn_end',
          failure: this.#failure,
          interrupted: message['aborted'] === true,
          ...this.#limit(),
        });
      default:
        return undefined;
    }
  }

  #limit(): { limit?: 'max_tokens' } {
    return this.#cut && this.#failure === null ? { limit: 'max_tokens' } : {};
  }

  #response(message: Json): void {
    const { emit } = this.#context;
    const data = object(message['data']);
    if (message['command'] === 'get_state')
      return emit({ type: 'session', id: text(data['sessionFile']) || text(data['sessionId']) });
    if (message['success'] !== false) return;
    const failure = classify(text(message['error']), null, 'bad_request');
    if (message['command'] === 'prompt') return emit({ type: 'turn_end', failure, interrupted: false });
    const steer = /^steer:(.*)$/.exec(text(message['id']))?.[1];
    if (steer !== undefined) emit({ type: 'steer_refused', steer_id: steer });
  }

  #messageStart(message: Json): void {
    if (message['role'] === 'assistant') this.#messages += 1;
    if (message['role'] !== 'user') return;
    const words = blockText(message['content']);
    const at = this.#sent.findIndex((sent) => sent.words === words);
    const [found] = at < 0 ? [] : this.#sent.splice(at, 1);
    if (found !== undefined) this.#context.emit({ type: 'steered', steer_id: found.id });
  }

  #update(event: Json): void {
    const key = `${this.#messages}:${count(event['contentIndex'])}`;
    const type = text(event['type']).startsWith('thinking') ? 'reasoning' : 'text';
    if (/^(text|thinking)_delta$/.test(text(event['type'])))
      this.#context.emit({ type, key, delta: text(event['delta']) });
    if (/^(text|thinking)_end$/.test(text(event['type'])))
      this.#context.emit({ type, key, whole: text(event['content']) });
  }

  #messageEnd(message: Json): void {
    if (message['role'] !== 'assistant') return;
    const { emit } = this.#context;
    const usage = object(message['usage']);
    const cost = object(usage['cost']);
    const reasoning = count(usage['reasoning']);
    const tokens = {
      input: count(usage['input']),
      cached_input: count(usage['cacheRead']),
      cache_write: count(usage['cacheWrite']),
      output: Math.max(0, count(usage['output']) - reasoning),
      reasoning,
    };
    // A model without a price costs 0 by its own sums, which is no known cost (R5).
    const total = number(cost['total']);
    emit({ type: 'usage', as: 'add', tokens, cost_usd: total === 0 ? null : total });
    // The last message decides: one that was tried again with success is no failure (T3).
    const failed = message['stopReason'] === 'error';
    this.#failure = failed ? classify(text(message['errorMessage'])) : null;
    this.#cut = message['stopReason'] === 'length';
    if (!failed) emit({ type: 'message_end' });
  }

  #toolEnd(message: Json): void {
    const result = object(message['result']);
    const status = message['isError'] === true ? 'error' : 'ok';
    const exit_code = number(object(result['structuredContent'])['exit_code']);
    const display =
      message['toolName'] === 'bash'
        ? {
            type: 'output' as const,
            command: this.#commands.get(text(message['toolCallId'])) ?? '',
            exit_code,
            signal: null,
            spill_path: null,
          }
        : null;
    const words = objects(result['content']).length === 0 ? null : blockText(result['content']);
    this.#context.emit({ type: 'tool_end', id: text(message['toolCallId']), status, text: words, display });
  }
}

function argumentsFor({ assignment, session }: AdapterContext): string[] {
  const model = assignment.model ?? assignment.agent.model;
  const tools = ownToolNames(assignment, PI_CLI);
  const args = ['--mode', 'rpc'];
  if (model != null) args.push('--model', model);
  if (session !== null) args.push('--session', session);
  if (tools !== null) args.push(...(tools.length === 0 ? ['--no-tools'] : ['--tools', tools.join(',')]));
  return args;
}
