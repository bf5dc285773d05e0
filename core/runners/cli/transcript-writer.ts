import type { EntryMeta } from '../../protocol/entry.ts';
import type { OpenEntry, RunnerPort } from '../contract.ts';
import type { AgentEvent } from './agent-event.ts';
import { object, type Json } from './json.ts';
import { kindOfTool, toolPath } from './tool-words.ts';

type Event<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;
type ToolMeta = Extract<EntryMeta, { type: 'tool_call' }>;

interface OpenText {
  readonly type: 'text' | 'reasoning';
  readonly entry: OpenEntry;
  readonly since: number;
  text: string;
}

interface OpenTool {
  readonly entry: OpenEntry;
  readonly since: number;
  meta: ToolMeta;
  output: string;
}

/** Characters of a tool's output that are kept in its entry; agents cut what their model sees as well. */
const LONGEST_OUTPUT = 256 * 1024;

/** Writes what an agent does into the run's transcript; keeps the last text, which is the answer. */
export class TranscriptWriter {
  readonly #port: RunnerPort;
  readonly #texts = new Map<string, OpenText>();
  readonly #tools = new Map<string, OpenTool>();
  readonly #subagents = new Map<string, { entry: OpenEntry; meta: EntryMeta }>();
  readonly #read = new Set<string>();
  readonly #written = new Set<string>();
  #answer = '';
  #lastToolFailed = false;

  constructor(port: RunnerPort) {
    this.#port = port;
  }

  /** The last text of the agent's model. */
  get answer(): string {
    return this.#answer;
  }

  /** The last tool failed, and nothing was said after it. */
  get endedOnToolError(): boolean {
    return this.#lastToolFailed;
  }

  /** Files that its tools named and read, as they named them. */
  get filesRead(): string[] {
    return [...this.#read];
  }

  get filesWritten(): string[] {
    return [...this.#written];
  }

  text({ type, key, delta, whole }: Event<'text' | 'reasoning'>): void {
    const id = `${type}:${key}`;
    let open = this.#texts.get(id);
    if (open === undefined) {
      if ((whole ?? delta ?? '') === '') return;
      const meta: EntryMeta = type === 'text' ? { type, partial: false } : { type, seconds: null };
      open = { type, entry: this.#port.transcript.open(meta), since: this.#port.clock.monotonic(), text: '' };
      this.#texts.set(id, open);
    }
    if (delta !== undefined && delta !== '') {
      open.text += delta;
      open.entry.append(delta);
    }
    if (whole !== undefined) this.#endText(id, open, whole);
    if (type === 'text') this.#said(open.text);
  }

  /** The message is over: what is open of it is whole. */
  endMessage(): void {
    for (const [id, open] of this.#texts) this.#endText(id, open, open.text);
  }

  /** Whether it is a new call; a known one has more told of it. */
  tool({ id, name, title, arguments: args }: Event<'tool'>): boolean {
    const known = this.#tools.get(id);
    const meta: ToolMeta = {
      type: 'tool_call',
      call_id: id,
      name,
      title,
      arguments: args,
      status: 'running',
      display: null,
      seconds: null,
    };
    this.#port.activity(title);
    if (known === undefined) {
      const entry = this.#port.transcript.open(meta);
      this.#tools.set(id, { entry, since: this.#port.clock.monotonic(), meta, output: '' });
      return true;
    }
    known.meta = meta;
    known.entry.setMeta(meta);
    return false;
  }

  /** A person is asked whether the tool may run. */
  toolWaits(title: string, waits: boolean): void {
    for (const tool of this.#tools.values()) {
      if (tool.meta.title !== title) continue;
      tool.meta = { ...tool.meta, status: waits ? 'waiting' : 'running' };
      tool.entry.setMeta(tool.meta);
    }
  }

  toolOutput({ id, text, whole }: Event<'tool_output'>): void {
    const tool = this.#tools.get(id);
    if (tool === undefined) return;
    const more = whole ? (text.startsWith(tool.output) ? text.slice(tool.output.length) : '') : text;
    const room = LONGEST_OUTPUT - tool.output.length;
    if (more === '' || room <= 0) return;
    tool.output += more.slice(0, room);
    tool.entry.append(more.slice(0, room));
  }

  toolEnd({ id, status, text, display }: Event<'tool_end'>): void {
    const tool = this.#tools.get(id);
    if (tool === undefined) return;
    this.#tools.delete(id);
    this.#lastToolFailed = status !== 'ok';
    if (status === 'ok') this.#noteFiles(tool.meta);
    const meta: ToolMeta = { ...tool.meta, status, display, seconds: this.#since(tool.since) };
    tool.entry.end(text === null ? { meta } : { meta, text: cut(text) });
  }

  subagent({ key, title, status, text }: Event<'subagent'>): void {
    const known = this.#subagents.get(key);
    const meta: EntryMeta = { type: 'subagent', key, title, status };
    if (known === undefined) {
      const entry = this.#port.transcript.open(meta, text);
      if (status === 'running') this.#subagents.set(key, { entry, meta });
      else entry.end();
      return;
    }
    if (text !== '') known.entry.append(text);
    if (status === 'running') return;
    this.#subagents.delete(key);
    known.entry.end({ meta });
  }

  notice({ level, text }: { readonly level: Event<'notice'>['level']; readonly text: string }): void {
    this.#port.transcript.add({ type: 'notice', level }, text);
  }

  /** The turn, or the program, is over: nothing stays open. `cut`: texts are what had arrived. */
  close(isCut: boolean): void {
    for (const [id, open] of this.#texts) {
      this.#texts.delete(id);
      open.entry.end(isCut && open.type === 'text' ? { meta: { type: 'text', partial: true } } : {});
    }
    for (const { entry, meta, since } of this.#tools.values())
      entry.end({ meta: { ...meta, status: 'error', seconds: this.#since(since) } });
    this.#tools.clear();
    for (const { entry, meta } of this.#subagents.values())
      entry.end({ meta: meta.type === 'subagent' ? { ...meta, status: 'unknown' } : meta });
    this.#subagents.clear();
  }

  #noteFiles({ name, arguments: args }: ToolMeta): void {
    const path = toolPath(argumentsOf(args));
    const kind = kindOfTool(name);
    if (path === null || kind === 'execute') return;
    (kind === 'read' ? this.#read : this.#written).add(path);
  }

  #said(text: string): void {
    if (text.trim() === '') return;
    this.#answer = text;
    this.#lastToolFailed = false;
  }

  #endText(id: string, open: OpenText, whole: string): void {
    this.#texts.delete(id);
    const meta: EntryMeta | null =
      open.type === 'reasoning' ? { type: 'reasoning', seconds: this.#since(open.since) } : null;
    open.text = whole;
    open.entry.end({ ...(meta === null ? {} : { meta }), text: whole });
  }

  #since(start: number): number {
    return Math.round(this.#port.clock.monotonic() - start) / 1000;
  }
}

function argumentsOf(args: string): Json {
  try {
    return object(JSON.parse(args) as unknown);
  } catch {
    return {}; // As its model sent them.
  }
}

function cut(text: string): string {
  if (text.length <= LONGEST_OUTPUT) return text;
  const half = LONGEST_OUTPUT / 2;
  return `${text.slice(0, half)}\n[… ${(text.length - LONGEST_OUTPUT).toLocaleString('en-US')} characters cut …]\n${text.slice(-half)}`;
}
