import type { ToolDisplay } from '../../../protocol/entry.ts';
import type { Adapter, AdapterContext, CliAgent, Launch } from '../adapter.ts';
import type { AgentFailure } from '../agent-event.ts';
import { classify } from '../classify.ts';
import { blockText, count, number, object, objects, text, type Json } from '../json.ts';
import { toolTitle } from '../tool-words.ts';
import { Withdrawals } from '../withdrawals.ts';
import { codexThread } from './codex-thread.ts';

/** Codex by its app server (JSON-RPC over lines): steering and interrupts are requests of its own, approvals come to us. */
export const codex: Adapter = (context) => new Codex(context);

type Answer = (result: Json, error: Json | null) => void;

class Codex implements CliAgent {
  readonly launch: Launch = { args: ['app-server'], env: {}, input: null };
  readonly #context: AdapterContext;
  readonly #waiting = new Map<number, Answer>();
  readonly #items = new Map<string, Json>();
  readonly #asks = new Withdrawals();
  #requests = 0;
  #thread = '';
  #turn = '';
  #interrupting = false;
  /** A prompt that came before the thread was there. */
  #early: string | null = null;
  #failure: AgentFailure | null = null;

  constructor(context: AdapterContext) {
    this.#context = context;
  }

  begin(): void {
    const clientInfo = { name: 'espalier', title: 'Espalier', version: '1' };
    this.#ask('initialize', { clientInfo }, (_, error) => {
      if (error !== null) return this.#fail(error);
      this.#context.send({ method: 'initialized' });
      const { method, params } = codexThread(this.#context);
      this.#ask(method, params, (result, refusal) => {
        if (refusal !== null) return this.#fail(refusal);
        this.#thread = text(object(result['thread'])['id']);
        this.#context.emit({ type: 'session', id: this.#thread });
        const prompt = this.#early;
        this.#early = null;
        if (prompt !== null) this.prompt(prompt);
      });
    });
  }

  prompt(prompt: string): void {
    if (this.#thread === '') {
      this.#early = prompt;
      return;
    }
    this.#failure = null;
    this.#interrupting = false;
    this.#turn = '';
    this.#ask('turn/start', { threadId: this.#thread, input: [words(prompt)] }, (result, error) => {
      if (error !== null) return this.#fail(error);
      this.#turn ||= text(object(result['turn'])['id']);
    });
  }

  readonly steer = (steerId: string, prompt: string): void => {
    const params = { threadId: this.#thread, expectedTurnId: this.#turn, input: [words(prompt)] };
    this.#ask('turn/steer', params, (_, error) =>
      this.#context.emit({ type: error === null ? 'steered' : 'steer_refused', steer_id: steerId }),
    );
  };

  readonly interrupt = (): void => {
    this.#interrupting = true;
    this.#ask('turn/interrupt', { threadId: this.#thread, turnId: this.#turn }, () => undefined);
  };

  take(message: Json): void {
    const method = text(message['method']);
    const params = object(message['params']);
    if (method === '') return this.#answered(message);
    if (message['id'] !== undefined) return this.#asked(method, message['id'], params);
    // A subagent of its own has a thread of its own.
    if (text(params['threadId']) !== '' && this.#thread !== '' && params['threadId'] !== this.#thread) return;
    return this.#told(method, params);
  }

  #ask(method: string, params: Json, answer: Answer): void {
    this.#requests += 1;
    this.#waiting.set(this.#requests, answer);
    this.#context.send({ id: this.#requests, method, params });
  }

  #answered(message: Json): void {
    const id = number(message['id']) ?? -1;
    const answer = this.#waiting.get(id);
    this.#waiting.delete(id);
    answer?.(object(message['result']), message['error'] === undefined ? null : object(message['error']));
  }

  #fail(error: Json): void {
    const failure = classify(text(error['message']), null, 'bad_request');
    this.#context.emit({ type: 'turn_end', failure, interrupted: false });
  }

  #told(method: string, params: Json): void {
    const { emit } = this.#context;
    switch (method) {
      case 'turn/started':
        this.#turn = text(object(params['turn'])['id']);
        return;
      case 'item/started':
        return this.#started(object(params['item']));
      case 'item/agentMessage/delta':
        return emit({ type: 'text', key: text(params['itemId']), delta: text(params['delta']) });
      case 'item/reasoning/summaryTextDelta':
      case 'item/reasoning/textDelta':
        return emit({ type: 'reasoning', key: text(params['itemId']), delta: text(params['delta']) });
      case 'item/commandExecution/outputDelta':
        return emit({ type: 'tool_output', id: text(params['itemId']), text: text(params['delta']), whole: false });
      case 'item/completed':
        return this.#completed(object(params['item']));
      case 'thread/tokenUsage/updated':
        emit({
          type: 'usage',
          as: 'add',
          tokens: tokensOf(object(object(params['tokenUsage'])['last'])),
          cost_usd: null,
        });
        return emit({ type: 'message_end' });
      case 'error':
        return this.#error(object(params['error']), params['willRetry'] === true);
      case 'serverRequest/resolved':
        // Also of one that we have answered: then nothing waits.
        return this.#asks.withdraw(String(params['requestId']));
      case 'turn/completed':
        return this.#turnCompleted(object(params['turn']));
      default:
        return undefined;
    }
  }

  #error(error: Json, willRetry: boolean): void {
    const failure = failureOf(error);
    if (willRetry) return this.#context.emit({ type: 'retry', text: failure.message, failure });
    this.#failure = failure;
  }

  #turnCompleted(turn: Json): void {
    const interrupted = turn['status'] === 'interrupted' || this.#interrupting;
    const error = turn['error'] == null ? this.#failure : failureOf(object(turn['error']));
    // An error that it does not try again, and after which nothing was said, is the turn's, whatever its end is called (T3).
    const failed = turn['status'] === 'failed' ? (error ?? classify('')) : this.#failure;
    this.#failure = null;
    this.#turn = '';
    this.#context.emit({ type: 'turn_end', failure: interrupted ? null : failed, interrupted });
  }

  #started(item: Json): void {
    const id = text(item['id']);
    const call = callOf(item);
    if (call === null) return;
    this.#items.set(id, item);
    this.#context.emit({ type: 'tool', id, ...call });
  }

  #completed(item: Json): void {
    const { emit } = this.#context;
    const id = text(item['id']);
    switch (item['type']) {
      case 'agentMessage':
        if (text(item['text']).trim() !== '') this.#failure = null;
        return emit({ type: 'text', key: id, whole: text(item['text']) });
      case 'reasoning': {
        const parts = [item['summary'], item['content']].flatMap((part) =>
          Array.isArray(part) ? part.map(String) : [],
        );
        return parts.length === 0 ? undefined : emit({ type: 'reasoning', key: id, whole: parts.join('\n\n') });
      }
      case 'subAgentActivity':
        return emit({
          type: 'subagent',
          key: text(item['agentThreadId']),
          title: text(item['agentPath']) || 'agent',
          status: 'unknown',
          text: text(item['kind']),
        });
      default: {
        if (callOf(item) === null) return;
        if (!this.#items.has(id)) this.#started(item);
        this.#items.delete(id);
        return emit({ type: 'tool_end', id, ...endOf(item) });
      }
    }
  }

  #asked(method: string, id: unknown, params: Json): void {
    const { send } = this.#context;
    const respond = (result: Json): void => send({ id, result });
    switch (method) {
      case 'item/commandExecution/requestApproval':
      case 'item/fileChange/requestApproval':
        return this.#approval(method.includes('commandExecution'), params, respond, this.#asks.open(String(id)));
      case 'mcpServer/elicitation/request':
        // Our own server asks by itself where it must; another one was configured by the person.
        return respond({ action: 'accept', content: {}, _meta: null });
      case 'item/permissions/requestApproval':
        return respond({ permissions: {}, scope: 'turn' });
      default:
        return send({ id, error: { code: -32601, message: `${method} is not supported` } });
    }
  }

  #approval(isCommand: boolean, params: Json, respond: (result: Json) => void, withdrawn: AbortSignal): void {
    const item = this.#items.get(text(params['itemId'])) ?? params;
    const changes = objects(item['changes']);
    const path = text(changes[0]?.['path']);
    this.#context.emit({
      type: 'ask',
      tool: isCommand ? 'exec_command' : 'apply_patch',
      kind: isCommand ? 'execute' : 'edit',
      title: callOf(item)?.title ?? (isCommand ? toolTitle('exec_command', params) : 'Editing files'),
      detail: text(params['command']) || text(params['reason']) || path,
      diff: isCommand ? null : changes.map((change) => text(change['diff'])).join('\n'),
      path: path === '' ? null : path,
      withdrawn,
      answer: ({ choice }) => respond({ decision: choice === 'allow' ? 'accept' : 'decline' }),
    });
  }
}

const words = (prompt: string): Json => ({ type: 'text', text: prompt, text_elements: [] });

function failureOf(error: Json): AgentFailure {
  const info = error['codexErrorInfo'];
  const kind = typeof info === 'string' ? info : Object.keys(object(info))[0];
  const status = number(object(object(info)[kind ?? ''])['httpStatusCode']);
  const said = [text(error['message']), text(error['additionalDetails'])].filter((part) => part !== '').join(': ');
  const byKind = KINDS[kind ?? ''];
  return byKind === undefined ? classify(said, status) : { reason: byKind, message: said };
}

const KINDS: Readonly<Record<string, AgentFailure['reason']>> = {
  contextWindowExceeded: 'context_overflow',
  usageLimitExceeded: 'billing',
  sessionBudgetExceeded: 'billing',
  rateLimitExceeded: 'rate_limit',
  serverOverloaded: 'overloaded',
  modelNotFound: 'model_not_found',
  unauthorized: 'auth',
  badRequest: 'bad_request',
};

function tokensOf(usage: Json) {
  const cached_input = count(usage['cachedInputTokens']);
  const cache_write = count(usage['cacheWriteInputTokens']);
  const reasoning = count(usage['reasoningOutputTokens']);
  return {
    input: Math.max(0, count(usage['inputTokens']) - cached_input - cache_write),
    cached_input,
    cache_write,
    output: Math.max(0, count(usage['outputTokens']) - reasoning),
    reasoning,
  };
}

/** A call as it begins; null for items that are none. */
function callOf(item: Json): { name: string; title: string; arguments: string } | null {
  const args = object(item['arguments']);
  switch (item['type']) {
    case 'commandExecution': {
      const command = { command: text(item['command']) };
      return { name: 'exec_command', title: toolTitle('exec_command', command), arguments: JSON.stringify(command) };
    }
    case 'fileChange': {
      const paths = objects(item['changes']).map((change) => text(change['path']));
      return {
        name: 'apply_patch',
        title: `Editing ${paths.join(', ')}`,
        arguments: JSON.stringify({ path: paths[0], paths }),
      };
    }
    case 'mcpToolCall': {
      const name = `${text(item['server'])}.${text(item['tool'])}`;
      return { name, title: toolTitle(name, args), arguments: JSON.stringify(args) };
    }
    case 'dynamicToolCall':
      return { name: text(item['tool']), title: toolTitle(text(item['tool']), args), arguments: JSON.stringify(args) };
    case 'webSearch':
      return {
        name: 'web_search',
        title: `Searching ${text(item['query'])}`,
        arguments: JSON.stringify({ query: item['query'] }),
      };
    default:
      return null;
  }
}

function endOf(item: Json): { status: 'ok' | 'error' | 'refused'; text: string | null; display: ToolDisplay | null } {
  const status = item['status'] === 'declined' ? 'refused' : item['status'] === 'failed' ? 'error' : 'ok';
  switch (item['type']) {
    case 'commandExecution': {
      const exit_code = number(item['exitCode']);
      const display = {
        type: 'output' as const,
        command: text(item['command']),
        exit_code,
        signal: null,
        spill_path: null,
      };
      const failed = status === 'ok' && exit_code !== null && exit_code !== 0;
      return { status: failed ? 'error' : status, text: text(item['aggregatedOutput']), display };
    }
    case 'fileChange': {
      const changes = objects(item['changes']);
      const diff = changes.map((change) => text(change['diff'])).join('\n');
      const lines = diff.split('\n');
      const starting = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
      const path = changes.map((change) => text(change['path'])).join(', ');
      return {
        status,
        text: null,
        display: { type: 'diff', path, diff, added: starting('+'), removed: starting('-') },
      };
    }
    case 'mcpToolCall': {
      const error = text(object(item['error'])['message']);
      return { status, text: error || blockText(object(item['result'])['content']), display: null };
    }
    default:
      return { status, text: blockText(item['contentItems']) || null, display: null };
  }
}
