import type { EntryMeta, ToolDisplay } from '../../protocol/entry.ts';
import type { OpenEntry, RunnerPort } from '../contract.ts';
import { callContent, pathsOf } from './call-content.ts';
import { shown, textOf, type Fields } from './wire.ts';

type CallMeta = Extract<EntryMeta, { type: 'tool_call' }>;
type Status = CallMeta['status'];

const STATUSES: Readonly<Record<string, Status>> = {
  pending: 'waiting',
  in_progress: 'running',
  completed: 'ok',
  failed: 'error',
};

/** Characters of one call's text in the transcript: its beginning. */
const LONGEST = 1024 * 1024;

interface Call {
  readonly entry: OpenEntry;
  readonly since: number;
  meta: CallMeta;
  /** Everything that was said of it, later words over earlier ones. */
  fields: Fields;
  /** As it is written by now. */
  written: string;
  /** What our own terminals have shown for it. */
  terminal: string;
  ended: boolean;
}

/** What an update of a call has brought about. */
export interface CallChange {
  readonly began: boolean;
  /** It has ended now, well or not. */
  readonly ended: 'ok' | 'error' | null;
}

/** The tool calls of one session in the transcript. */
export class CallLog {
  readonly #port: RunnerPort;
  readonly #workspace: string;
  readonly #calls = new Map<string, Call>();
  readonly #refused = new Set<string>();
  readonly #read = new Set<string>();
  readonly #written = new Set<string>();
  /** Calls by the terminals of ours that show for them. */
  readonly #terminals = new Map<string, string>();

  constructor(port: RunnerPort, workspace: string) {
    this.#port = port;
    this.#workspace = workspace;
  }

  /** Calls that have begun, ended or not. */
  get count(): number {
    return this.#calls.size;
  }

  /** Whether a tool is at work, or waits to be. */
  get isBusy(): boolean {
    return [...this.#calls.values()].some(({ ended }) => !ended);
  }

  get filesRead(): string[] {
    return [...this.#read];
  }

  get filesWritten(): string[] {
    return [...this.#written];
  }

  /** Whether the call has come to its end; not one that nobody has told of. */
  hasEnded(id: string): boolean {
    return this.#calls.get(id)?.ended === true;
  }

  /** Everything that was said of a call so far, with what is new. */
  known(id: string, more: Fields = {}): Fields {
    return { ...this.#calls.get(id)?.fields, ...present(more) };
  }

  /** A file that the agent had us read or write. */
  file(kind: 'read' | 'write', path: string): void {
    (kind === 'read' ? this.#read : this.#written).add(path);
  }

  /** A person, or the permission mode, did not allow it. */
  refused(id: string): void {
    this.#refused.add(id);
  }

  /** Takes an update; some agents never tell that a call begins, others only that it has ended. */
  take(update: Fields): CallChange {
    const id = textOf(update['toolCallId']) ?? '';
    const began = !this.#calls.has(id);
    const call = this.#calls.get(id) ?? this.#open(id, update);
    if (call.ended) return { began: false, ended: null };
    call.fields = { ...call.fields, ...present(update) };
    const content = callContent(call.fields, this.#workspace);
    for (const terminal of content.terminals) this.#terminals.set(terminal, id);
    this.#write(call, content.text);
    const status = STATUSES[textOf(call.fields['status']) ?? ''] ?? call.meta.status;
    this.#show(call, status, content.display);
    if (status !== 'ok' && status !== 'error') return { began, ended: null };
    this.#end(call, status === 'error' && this.#refused.has(id) ? 'refused' : status);
    return { began, ended: status };
  }

  /** Output of a terminal of ours, while it comes. */
  terminalOutput(terminal: string, text: string): void {
    const call = this.#calls.get(this.#terminals.get(terminal) ?? '');
    if (call === undefined || call.ended) return;
    const room = LONGEST - call.terminal.length;
    call.terminal += text.slice(0, room);
    call.written += text.slice(0, room);
    if (room > 0) call.entry.append(text.slice(0, room));
  }

  /** The core carried out a call that came over our bridge; shown with the call of the agent that is at work under that name. */
  bridged(name: string, display: ToolDisplay | null): void {
    if (display === null) return;
    const call = [...this.#calls.values()].findLast(
      ({ ended, fields, meta }) => !ended && namesTool(fields, meta, name),
    );
    if (call === undefined) return;
    call.meta = { ...call.meta, display };
    call.entry.setMeta(call.meta);
  }

  /** The turn is over: what has not ended by now never will. */
  endTurn(): void {
    for (const call of this.#calls.values()) if (!call.ended) this.#end(call, 'error');
  }

  #open(id: string, update: Fields): Call {
    const head = { call_id: id, name: nameOf(update), title: textOf(update['title']) ?? nameOf(update) };
    const meta: CallMeta = {
      type: 'tool_call',
      ...head,
      arguments: '',
      status: 'waiting',
      display: null,
      seconds: null,
    };
    const entry = this.#port.transcript.open(meta);
    const call: Call = {
      entry,
      since: this.#port.clock.monotonic(),
      meta,
      fields: {},
      written: '',
      terminal: '',
      ended: false,
    };
    this.#calls.set(id, call);
    return call;
  }

  #show(call: Call, status: Status, display: ToolDisplay | null): void {
    const { fields, meta } = call;
    const isOurs = meta.display?.type === 'delegation';
    const next: CallMeta = {
      ...meta,
      name: nameOf(fields),
      title: oneLine(textOf(fields['title']) ?? meta.title),
      arguments: shown(fields['rawInput']),
      status: status === 'ok' || status === 'error' ? meta.status : status,
      display: isOurs ? meta.display : (display ?? meta.display),
    };
    if (JSON.stringify(next) === JSON.stringify(meta)) return;
    if (next.title !== meta.title || meta.status !== next.status) this.#port.activity(next.title);
    call.meta = next;
    call.entry.setMeta(next);
  }

  /** Content replaces what was said before; only what is new of it is added while it grows. */
  #write(call: Call, text: string): void {
    if (text === '' || !text.startsWith(call.written)) return;
    const more = text.slice(call.written.length, LONGEST);
    if (more === '') return;
    call.written += more;
    call.entry.append(more);
  }

  #end(call: Call, status: 'ok' | 'error' | 'refused'): void {
    call.ended = true;
    const seconds = Math.round((this.#port.clock.monotonic() - call.since) / 100) / 10;
    const meta: CallMeta = { ...call.meta, status, seconds };
    const { text } = callContent(call.fields, this.#workspace);
    const whole = text === '' || call.terminal !== '' ? call.written : text.slice(0, LONGEST);
    call.entry.end(whole === call.written ? { meta } : { meta, text: whole });
    if (status === 'ok') this.#countFiles(call.fields);
  }

  #countFiles(fields: Fields): void {
    const kind = fields['kind'];
    if (kind !== 'read' && kind !== 'edit' && kind !== 'delete' && kind !== 'move') return;
    for (const path of pathsOf(fields, this.#workspace)) this.file(kind === 'read' ? 'read' : 'write', path);
  }
}

/** What is said; absent and null fields say nothing. */
function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

function nameOf(fields: Fields): string {
  const meta = fields['_meta'] as { claudeCode?: { toolName?: unknown } } | undefined;
  return textOf(fields['name']) ?? textOf(meta?.claudeCode?.toolName) ?? textOf(fields['kind']) ?? 'tool';
}

function namesTool(fields: Fields, meta: CallMeta, name: string): boolean {
  return `${meta.name} ${meta.title} ${shown(fields['rawInput'])}`.includes(name);
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 200 ? line : `${line.slice(0, 199)}…`;
}
