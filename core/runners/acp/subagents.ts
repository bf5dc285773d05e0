import type { EntryMeta } from '../../protocol/entry.ts';
import type { OpenEntry, RunnerPort } from '../contract.ts';
import { blockText, fieldsOf, textOf, type Fields } from './wire.ts';

type SubagentMeta = Extract<EntryMeta, { type: 'subagent' }>;

interface Seen {
  readonly entry: OpenEntry;
  meta: SubagentMeta;
  midLine: boolean;
  ended: boolean;
}

/** Agents that the run's agent starts inside of itself, as far as its stream tells of them: seen, and not controlled by us. */
export class Subagents {
  readonly #port: RunnerPort;
  readonly #seen = new Map<string, Seen>();

  constructor(port: RunnerPort) {
    this.#port = port;
  }

  /** Takes an update that its own marks say comes from inside of a subagent; false for all others. */
  takeInside(update: Fields): boolean {
    const meta = fieldsOf(update['_meta']);
    const claude = textOf(fieldsOf(meta['claudeCode'])['parentToolUseId']);
    const child = childSession(meta);
    const key = claude ?? child;
    if (key === null) return false;
    this.take(key, update);
    return true;
  }

  /** Takes what a subagent does. */
  take(key: string, update: Fields): void {
    const seen = this.#of(key, textOf(fieldsOf(update['_meta'])['title']) ?? key);
    switch (update['sessionUpdate']) {
      case 'agent_message_chunk':
        return this.#write(seen, blockText(update['content']));
      case 'tool_call':
        return this.#line(seen, `● ${textOf(update['title']) ?? 'a tool'}`);
      case 'tool_call_update':
        return update['status'] === 'failed' ? this.#line(seen, '✗ a tool failed') : undefined;
      case 'session_info_update':
        return this.#name(seen, textOf(update['title']));
      default:
        return;
    }
  }

  /** The agent tells of one by itself. */
  update(update: Fields): void {
    const key = textOf(update['subagentId']) ?? textOf(update['sessionId']) ?? textOf(update['id']) ?? 'subagent';
    const seen = this.#of(key, textOf(update['title']) ?? textOf(update['name']) ?? key);
    const said = textOf(update['message']) ?? textOf(update['description']);
    if (said !== null) this.#line(seen, said);
    const status = update['status'];
    if (status === 'completed') this.#end(seen, 'ok');
    if (status === 'failed' || status === 'cancelled') this.#end(seen, 'error');
  }

  /** The agent's turn is over: how those ended that nobody told of, nobody knows. */
  endTurn(): void {
    for (const seen of this.#seen.values()) this.#end(seen, 'unknown');
  }

  #of(key: string, title: string): Seen {
    const known = this.#seen.get(key);
    if (known !== undefined && !known.ended) return known;
    const meta: SubagentMeta = { type: 'subagent', key, title, status: 'running' };
    const seen: Seen = { entry: this.#port.transcript.open(meta), meta, midLine: false, ended: false };
    this.#seen.set(key, seen);
    this.#port.activity(`An agent inside: ${title}`);
    return seen;
  }

  #name(seen: Seen, title: string | null): void {
    if (title === null || seen.ended) return;
    seen.meta = { ...seen.meta, title };
    seen.entry.setMeta(seen.meta);
  }

  #line(seen: Seen, line: string): void {
    this.#write(seen, `${seen.midLine ? '\n' : ''}${line}\n`);
  }

  #write(seen: Seen, text: string): void {
    if (text === '' || seen.ended) return;
    seen.midLine = !text.endsWith('\n');
    seen.entry.append(text);
  }

  #end(seen: Seen, status: SubagentMeta['status']): void {
    if (seen.ended) return;
    seen.ended = true;
    seen.entry.end({ meta: { ...seen.meta, status } });
  }
}

/** opencode marks the updates of a child's session with the session that they come from. */
function childSession(meta: Fields): string | null {
  for (const value of Object.values(meta)) {
    const { childSessionId, childSessionID, parentSessionId, sessionID } = fieldsOf(value);
    const child = textOf(childSessionId) ?? textOf(childSessionID) ?? (textOf(parentSessionId) && textOf(sessionID));
    if (child !== null && child !== '') return child;
  }
  return textOf(meta['childSessionId']) ?? textOf(meta['childSessionID']);
}
