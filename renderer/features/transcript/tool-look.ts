import type { EntryMeta } from '../../../core/protocol/entry.ts';
import { runStrings } from '../../shared/run-strings.ts';
import type { IconName } from '../../ui/icon.tsx';

export type ToolCall = Extract<EntryMeta, { type: 'tool_call' }>;
/** What a transcript entry's meta may be, with the words of a newer build. */
type AnyMeta = { readonly type: string };

const READS = new Set(['read', 'read_file', 'notebookread', 'view']);
const SEARCHES = new Set(['grep', 'glob', 'search', 'search_file_content', 'find']);
const LISTINGS = new Set(['ls', 'list', 'list_directory']);

/** What a read-only call did, or null if it may have done more. Agents write the same names in different cases. */
function readKind(name: string): 'read' | 'search' | 'list' | null {
  const word = name.toLowerCase();
  if (READS.has(word)) return 'read';
  if (SEARCHES.has(word)) return 'search';
  return LISTINGS.has(word) ? 'list' : null;
}

export function isToolCall(meta: AnyMeta): meta is ToolCall {
  return meta.type === 'tool_call';
}

/** A call that only read and went well: several in a row fold into one line. */
export function isReadOnlyCall(meta: AnyMeta): boolean {
  return isToolCall(meta) && (meta.status === 'ok' || meta.status === 'running') && readKind(meta.name) !== null;
}

/** The arguments as an object, or null if they are not one (cut, or not JSON). */
export function argumentsOf(call: Pick<ToolCall, 'arguments'>): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(call.arguments);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}

/** An argument that is a text, under any of these names. */
export function textArgument(
  args: Readonly<Record<string, unknown>> | null,
  ...names: readonly string[]
): string | null {
  for (const name of names) {
    const value = args?.[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

const PATHS = ['path', 'file_path', 'filePath', 'absolute_path', 'notebook_path'] as const;
const RUNNERS = /^(?:bash|shell|execute|run_shell_command|local_shell|command)$/i;
const EDITORS = /^(?:edit|write|multiedit|replace|write_file|apply_patch|notebookedit)$/i;
const DELEGATES = /^delegate_task$/i;

export interface ToolLook {
  readonly icon: IconName;
  /** What a machine wrote or will run: set in mono. */
  readonly code: string;
  /** Words after it. */
  readonly words: string;
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

function lookOfDelegation(call: ToolCall, args: Readonly<Record<string, unknown>> | null): ToolLook {
  const tasks =
    call.display?.type === 'delegation'
      ? call.display.count
      : Array.isArray(args?.['tasks'])
        ? args['tasks'].length
        : 1;
  const wait = typeof args?.['wait'] === 'boolean' ? `, wait: ${String(args['wait'])}` : '';
  return { icon: 'delegate', code: call.name, words: runStrings.transcript.tasks(tasks) + wait };
}

/** How a call reads of which only its name is known. */
function lookOfName(call: ToolCall, args: Readonly<Record<string, unknown>> | null): ToolLook {
  const { name } = call;
  if (RUNNERS.test(name)) {
    return { icon: 'terminal', code: firstLine(textArgument(args, 'command', 'cmd') ?? name), words: '' };
  }
  if (EDITORS.test(name)) return { icon: 'edit', code: textArgument(args, ...PATHS) ?? name, words: '' };
  const kind = readKind(name);
  const icon = kind === 'read' ? 'file' : kind === null ? 'tool' : 'search';
  return { icon, code: name, words: call.title };
}

/** How the head of a call reads. */
export function lookOf(call: ToolCall): ToolLook {
  const args = argumentsOf(call);
  const { display, name } = call;
  if (display?.type === 'delegation' || DELEGATES.test(name)) return lookOfDelegation(call, args);
  if (display?.type === 'diff') return { icon: 'edit', code: display.path, words: '' };
  if (display?.type === 'output') return { icon: 'terminal', code: firstLine(display.command), words: '' };
  return lookOfName(call, args);
}

/** What a folded read looked at. */
export function readTarget(call: ToolCall): string {
  const args = argumentsOf(call);
  const kind = readKind(call.name);
  const path = textArgument(args, ...PATHS);
  if (kind === 'read' && path !== null) return path;
  if (kind === 'search') return textArgument(args, 'pattern', 'query') ?? call.title;
  return path ?? call.title;
}

/** The folder of a path, as far as it says something. */
function folderOf(path: string): string {
  const parts = path.split('/');
  return parts.length > 1 ? parts.slice(0, -1).join('/') : path;
}

/** `Read 7 files, searched twice` and where: the folders of what was read, most first. */
export function readWords(calls: readonly ToolCall[]): { readonly title: string; readonly detail: string } {
  const targets = { read: new Set<string>(), search: new Set<string>(), list: new Set<string>() };
  for (const call of calls) targets[readKind(call.name) ?? 'read'].add(readTarget(call));
  const words = runStrings.transcript;
  const parts = [
    targets.read.size > 0 ? words.read(targets.read.size) : '',
    targets.search.size > 0 ? words.searched(targets.search.size) : '',
    targets.list.size > 0 ? words.listed(targets.list.size) : '',
  ].filter((part) => part !== '');
  const title = parts.join(', ');
  const all = [...targets.read, ...targets.search, ...targets.list];
  const places = all.length === 1 ? all : targets.read.size > 0 ? [...targets.read].map(folderOf) : all;
  const counts = new Map<string, number>();
  for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1);
  const detail = [...counts].sort((a, b) => b[1] - a[1]).map(([place]) => place);
  return { title: title.charAt(0).toUpperCase() + title.slice(1), detail: detail.join(', ') };
}

/** Whether the body of a call is open before anybody touched it: what changed something, or went wrong, is shown. */
export function opensByItself(call: ToolCall): boolean {
  if (call.status === 'error' || call.status === 'refused') return true;
  // What asks is shown whole where it is answered.
  if (call.status === 'waiting') return false;
  const type = call.display?.type;
  return type === 'diff' || type === 'output' || type === 'delegation' || RUNNERS.test(call.name);
}

/** Arguments as lines of `name: value`, or as they were sent if they are no object. */
export function argumentLines(call: ToolCall): readonly { readonly name: string; readonly value: string }[] {
  const args = argumentsOf(call);
  if (args === null) return call.arguments.trim() === '' ? [] : [{ name: '', value: call.arguments }];
  return Object.entries(args).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value, null, 2),
  }));
}

/** The output of a command without the lines that the head of the card already says. */
export function outputText(call: ToolCall, text: string): string {
  const { display } = call;
  const trimmed = text.replace(/\n+$/, '');
  if (display?.type !== 'output' || display.exit_code === null) return trimmed;
  const mark = `[exit code ${display.exit_code}]`;
  return trimmed.endsWith(mark) ? trimmed.slice(0, -mark.length).replace(/\n+$/, '') : trimmed;
}

/** How the call ended, at the right of its head. */
export function endWords(call: ToolCall): { readonly text: string; readonly tone: 'bad' | 'need' | 'quiet' } | null {
  const words = runStrings.transcript;
  const { display, status } = call;
  if (status === 'waiting') return { text: words.asks, tone: 'need' };
  if (status === 'refused') return { text: words.refused, tone: 'need' };
  if (display?.type === 'output' && display.signal !== null) return { text: words.signal(display.signal), tone: 'bad' };
  if (display?.type === 'output' && display.exit_code !== null && display.exit_code !== 0) {
    return { text: words.exit(display.exit_code), tone: 'bad' };
  }
  return status === 'error' ? { text: words.failed, tone: 'bad' } : null;
}
