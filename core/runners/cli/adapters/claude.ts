import type { ToolDisplay } from '../../../protocol/entry.ts';
import type { Tokens } from '../../../protocol/usage.ts';
import type { Adapter, AdapterContext, CliAgent, Launch } from '../adapter.ts';
import type { TurnEnd } from '../agent-event.ts';
import { classify } from '../classify.ts';
import { blockText, count, number, object, objects, text, type Json } from '../json.ts';
import { kindOfTool, toolPath, toolTitle } from '../tool-words.ts';
import { Withdrawals } from '../withdrawals.ts';
import { CLAUDE_ENVIRONMENT, claudeArguments } from './claude-launch.ts';

/** Claude Code in stream-json both ways: steering joins the running turn, an interrupt ends it, permissions come to us. */
export const claude: Adapter = (context) => new Claude(context);

class Claude implements CliAgent {
  readonly launch: Launch;
  readonly #context: AdapterContext;
  /** Texts that were sent and not replayed yet, oldest first: the replay says that they are part of a turn. */
  readonly #sent: (string | null)[] = [];
  readonly #tools = new Map<string, { name: string; args: Json }>();
  readonly #agents = new Map<string, string>();
  readonly #asks = new Withdrawals();
  /** Agents of its own in the background: when one ends, it begins a turn by itself. */
  readonly #running = new Set<string>();
  /** Turns that began and have no result yet. */
  #openTurns = 0;
  #message = '';
  #block = { type: '', key: '' };
  #asked = 0;
  #interrupting = false;

  constructor(context: AdapterContext) {
    this.#context = context;
    this.launch = { args: claudeArguments(context), env: CLAUDE_ENVIRONMENT, input: null };
  }

  begin(): void {
    this.#control('initialize');
  }

  prompt(prompt: string): void {
    this.#interrupting = false;
    this.#say(null, prompt);
  }

  readonly steer = (steerId: string, words: string): void => this.#say(steerId, words);

  readonly interrupt = (): void => {
    this.#interrupting = true;
    this.#control('interrupt');
  };

  take(message: Json): void {
    const inside = text(message['parent_tool_use_id']);
    switch (message['type']) {
      case 'system':
        return this.#system(message);
      case 'stream_event':
        return inside === '' ? this.#stream(object(message['event'])) : undefined;
      case 'assistant':
        return inside === '' ? this.#assistant(message) : this.#inside(inside, message);
      case 'user':
        return inside === '' ? this.#user(message) : undefined;
      case 'control_request':
        return this.#permission(text(message['request_id']), object(message['request']));
      case 'control_cancel_request':
        return this.#asks.withdraw(text(message['request_id']));
      case 'result':
        return this.#result(message);
      default:
        return undefined;
    }
  }

  #say(steerId: string | null, content: string): void {
    this.#sent.push(steerId);
    this.#context.send({ type: 'user', message: { role: 'user', content } });
  }

  #control(subtype: string): void {
    this.#asked += 1;
    this.#context.send({ type: 'control_request', request_id: `espalier-${this.#asked}`, request: { subtype } });
  }

  #system(message: Json): void {
    const { emit } = this.#context;
    switch (message['subtype']) {
      case 'init':
        this.#openTurns += 1;
        return emit({ type: 'session', id: text(message['session_id']) });
      case 'status':
        return emit({ type: 'request', open: message['status'] === 'requesting' });
      case 'api_retry': {
        const status = number(message['error_status']);
        const words = `${text(message['error']) || 'connection error'}${status === null ? '' : ` (HTTP ${status})`}`;
        const failure = classify(words, status, 'network');
        const tries = `${count(message['attempt'])} of ${count(message['max_retries'])}`;
        return emit({ type: 'retry', text: `${words}; retry ${tries}`, failure });
      }
      case 'task_started':
        return this.#agentStarted(message);
      case 'task_notification':
        return this.#agentEnded(message);
      default:
        return undefined;
    }
  }

  /** Background shells are told of by the same messages. */
  #agentStarted(message: Json): void {
    if (text(message['subagent_type']) === '' && !/agent/.test(text(message['task_type']))) return;
    const key = text(message['tool_use_id']) || text(message['task_id']);
    const title = text(message['description']) || text(message['subagent_type']) || 'agent';
    this.#agents.set(text(message['task_id']), key).set(key, title);
    this.#running.add(key);
    this.#context.emit({ type: 'subagent', key, title, status: 'running', text: '' });
  }

  #agentEnded(message: Json): void {
    const key = this.#agents.get(text(message['task_id']));
    if (key === undefined) return;
    this.#running.delete(key);
    const status = message['status'] === 'completed' ? 'ok' : 'error';
    const title = this.#agents.get(key) ?? 'agent';
    this.#context.emit({ type: 'subagent', key, title, status, text: text(message['summary']) });
  }

  #inside(key: string, message: Json): void {
    const title = this.#agents.get(key) ?? toolTitle('Task', this.#tools.get(key)?.args ?? {});
    for (const block of objects(object(message['message'])['content'])) {
      const seen =
        block['type'] === 'tool_use' ? toolTitle(text(block['name']), object(block['input'])) : text(block['text']);
      if (seen !== '') this.#context.emit({ type: 'subagent', key, title, status: 'running', text: `${seen}\n` });
    }
  }

  #stream(event: Json): void {
    const { emit } = this.#context;
    switch (event['type']) {
      case 'message_start':
        this.#message = text(object(event['message'])['id']);
        return;
      case 'content_block_start': {
        const type = text(object(event['content_block'])['type']);
        this.#block = { type, key: `${this.#message}:${count(event['index'])}` };
        return;
      }
      case 'content_block_delta':
        return this.#delta(object(event['delta']));
      case 'message_delta':
        return emit({ type: 'usage', as: 'add', tokens: tokensOf(object(event['usage'])), cost_usd: null });
      case 'message_stop':
        emit({ type: 'request', open: false });
        return emit({ type: 'message_end' });
      default:
        return undefined;
    }
  }

  #delta(delta: Json): void {
    const { key } = this.#block;
    if (delta['type'] === 'text_delta') this.#context.emit({ type: 'text', key, delta: text(delta['text']) });
    if (delta['type'] === 'thinking_delta')
      this.#context.emit({ type: 'reasoning', key, delta: text(delta['thinking']) });
  }

  /** One whole block each, while its stream is still open. */
  #assistant(message: Json): void {
    const { emit } = this.#context;
    // It writes its own errors in the place of an answer; the result says what they are.
    if (message['is_api_error_message'] === true || object(message['message'])['model'] === '<synthetic>') return;
    for (const block of objects(object(message['message'])['content'])) {
      const { key } = this.#block;
      if (block['type'] === 'text') emit({ type: 'text', key, whole: text(block['text']) });
      if (block['type'] === 'thinking') emit({ type: 'reasoning', key, whole: text(block['thinking']) });
      if (block['type'] === 'tool_use') this.#toolUse(block);
    }
  }

  #toolUse(block: Json): void {
    const id = text(block['id']);
    const name = text(block['name']);
    const args = object(block['input']);
    this.#tools.set(id, { name, args });
    const title = toolTitle(name, args);
    this.#context.emit({ type: 'tool', id, name, title, arguments: JSON.stringify(args) });
  }

  #user(message: Json): void {
    if (message['isReplay'] === true) {
      const steerId = this.#sent.shift() ?? null;
      if (steerId !== null) this.#context.emit({ type: 'steered', steer_id: steerId });
      return;
    }
    const refused = objects(message['tool_result_meta']).some(
      (meta) => object(meta['permission_decision'])['decision'] === 'reject',
    );
    for (const block of objects(object(message['message'])['content'])) {
      if (block['type'] !== 'tool_result') continue;
      const id = text(block['tool_use_id']);
      const isError = block['is_error'] === true;
      const words = blockText(block['content']);
      const display = displayOf(this.#tools.get(id), message['tool_use_result'], words, isError);
      const status = refused ? 'refused' : isError ? 'error' : 'ok';
      this.#context.emit({ type: 'tool_end', id, status, text: words, display });
    }
  }

  #permission(requestId: string, request: Json): void {
    const answer = (response: Json): void =>
      this.#context.send({
        type: 'control_response',
        response: { subtype: 'success', request_id: requestId, response },
      });
    if (request['subtype'] !== 'can_use_tool') {
      const error = 'not supported';
      return this.#context.send({
        type: 'control_response',
        response: { subtype: 'error', request_id: requestId, error },
      });
    }
    const tool = text(request['tool_name']);
    const input = object(request['input']);
    this.#context.emit({
      type: 'ask',
      tool,
      kind: kindOfTool(tool),
      title: toolTitle(tool, input),
      detail: text(input['command']) || JSON.stringify(input, null, 2),
      diff: null,
      path: toolPath(input),
      withdrawn: this.#asks.open(requestId),
      answer: ({ choice, note }) =>
        choice === 'allow'
          ? answer({ behavior: 'allow', updatedInput: input })
          : answer({
              behavior: 'deny',
              message: note ?? 'Permission was denied. Go another way, or say what could not be done.',
            }),
    });
  }

  #result(message: Json): void {
    const { emit } = this.#context;
    emit({ type: 'request', open: false });
    const models = Object.values(object(message['modelUsage'])).map(object);
    if (models.length > 0) emit({ type: 'usage', as: 'total', ...spentOf(models, number(message['total_cost_usd'])) });
    const interrupted = this.#interrupting;
    this.#interrupting = false;
    this.#openTurns = Math.max(0, this.#openTurns - 1);
    const end = endOf(message, interrupted);
    // An answer that its own agents will add to is not its last one.
    if (end.failure === null && !interrupted && (this.#openTurns > 0 || this.#running.size > 0)) return;
    emit({ type: 'turn_end', interrupted, ...end });
  }
}

/** The subtype says `success` beside an error: `is_error` decides (T3). */
function endOf(message: Json, interrupted: boolean): Omit<TurnEnd, 'type' | 'interrupted'> {
  const answer = text(message['result']);
  switch (message['subtype']) {
    case 'error_max_turns':
      return { failure: null, limit: 'max_turns' };
    case 'error_max_budget_usd':
      return { failure: null, limit: 'budget' };
    case 'success':
      if (message['is_error'] === true) return { failure: classify(answer, number(message['api_error_status'])) };
      if (message['stop_reason'] === 'max_tokens') return { failure: null, answer, limit: 'max_tokens' };
      if (message['stop_reason'] === 'refusal')
        return { failure: { reason: 'content_filter', message: answer || 'The model refused to answer.' } };
      return { failure: null, answer };
    default: {
      const errors = Array.isArray(message['errors']) ? message['errors'].map(String).join('\n') : answer;
      return { failure: interrupted ? null : classify(errors) };
    }
  }
}

function tokensOf(usage: Json): Tokens {
  const reasoning = count(object(usage['output_tokens_details'])['thinking_tokens']);
  return {
    input: count(usage['input_tokens']),
    cached_input: count(usage['cache_read_input_tokens']),
    cache_write: count(usage['cache_creation_input_tokens']),
    output: Math.max(0, count(usage['output_tokens']) - reasoning),
    reasoning,
  };
}

/** Sums over all models, subagents included. A cost that rests on no known price is a guess, and is not told as one (R5). */
function spentOf(models: readonly Json[], cost: number | null): { tokens: Tokens; cost_usd: number | null } {
  const sum = (name: string): number => models.reduce((total, model) => total + count(model[name]), 0);
  const reasoning = sum('thinkingTokens');
  const tokens = {
    input: sum('inputTokens'),
    cached_input: sum('cacheReadInputTokens'),
    cache_write: sum('cacheCreationInputTokens'),
    output: Math.max(0, sum('outputTokens') - reasoning),
    reasoning,
  };
  return { tokens, cost_usd: models.some((model) => model['costBasis'] === 'unknown') ? null : cost };
}

function displayOf(
  tool: { name: string; args: Json } | undefined,
  result: unknown,
  words: string,
  isError: boolean,
): ToolDisplay | null {
  if (tool === undefined) return null;
  if (tool.name === 'Bash') {
    const exit = /^(?:Error: )?Exit code (\d+)/.exec(words)?.[1];
    const exit_code = exit === undefined ? (isError ? null : 0) : Number(exit);
    return { type: 'output', command: text(tool.args['command']), exit_code, signal: null, spill_path: null };
  }
  const patch = objects(object(result)['structuredPatch']);
  return patch.length === 0 ? null : diffOf(text(object(result)['filePath']), patch);
}

function diffOf(path: string, hunks: readonly Json[]): ToolDisplay {
  const lines = hunks.flatMap((hunk) => {
    const head = `@@ -${count(hunk['oldStart'])},${count(hunk['oldLines'])} +${count(hunk['newStart'])},${count(hunk['newLines'])} @@`;
    return [head, ...(Array.isArray(hunk['lines']) ? hunk['lines'].map(String) : [])];
  });
  const starting = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { type: 'diff', path, diff: lines.join('\n'), added: starting('+'), removed: starting('-') };
}
