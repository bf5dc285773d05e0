import { isAbsolute, relative } from 'node:path';
import type { ToolDisplay } from '../../protocol/entry.ts';
import { unifiedDiff } from '../unified-diff.ts';
import { blockText, fieldsOf, listOf, numberOf, shown, textOf, type Fields } from './wire.ts';

/** Characters of one side of a change up to which it is shown as a diff. */
const DIFFED = 2 * 1024 * 1024;

/** What a tool call of an agent shows. */
export interface CallContent {
  readonly text: string;
  readonly display: ToolDisplay | null;
  /** Terminals of ours whose output belongs to it. */
  readonly terminals: readonly string[];
}

/** The path as people of the workspace know it. */
function pathInside(workspace: string, path: string): string {
  if (!isAbsolute(path)) return path;
  const inside = relative(workspace, path);
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}

/** Reads the content of a call as it stands after an update: texts, the change that it shows, terminals. */
export function callContent(call: Fields, workspace: string): CallContent {
  const texts: string[] = [];
  const terminals: string[] = [];
  let display: ToolDisplay | null = null;
  for (const part of listOf(call['content'])) {
    if (part['type'] === 'content') texts.push(blockText(part['content']));
    if (part['type'] === 'diff') display ??= diffDisplay(part, workspace);
    if (part['type'] === 'terminal') terminals.push(textOf(part['terminalId']) ?? '');
  }
  const text = texts.join('\n');
  const rest = text === '' && display === null && terminals.length === 0 ? outputText(call['rawOutput']) : text;
  return { text: rest, display: display ?? commandDisplay(call) ?? filesDisplay(call, workspace), terminals };
}

/** The difference that an edit asks for or has made, for a person who decides. */
export function diffOf(call: Fields): string | null {
  const part = listOf(call['content']).find(({ type }) => type === 'diff');
  if (part === undefined) return null;
  const { diff } = unifiedDiff(textOf(part['oldText']) ?? '', textOf(part['newText']) ?? '');
  return diff === '' ? null : diff;
}

/** Paths that a call names. */
export function pathsOf(call: Fields, workspace: string): string[] {
  const named = [...listOf(call['locations']), ...listOf(call['content']).filter(({ type }) => type === 'diff')];
  const paths = named.flatMap(({ path }) => textOf(path) ?? []).map((path) => pathInside(workspace, path));
  return [...new Set(paths)];
}

function diffDisplay(part: Fields, workspace: string): ToolDisplay | null {
  const path = textOf(part['path']);
  if (path === null) return null;
  const [before, after] = [textOf(part['oldText']) ?? '', textOf(part['newText']) ?? ''];
  const name = pathInside(workspace, path);
  if (before.length > DIFFED || after.length > DIFFED) return { type: 'files', paths: [name] };
  return { type: 'diff', path: name, ...unifiedDiff(before, after) };
}

/** What a tool answered, where an agent gives nothing made for people. */
function outputText(output: unknown): string {
  const { output: nested, stdout, formatted_output: formatted, aggregated_output: aggregated } = fieldsOf(output);
  return textOf(formatted) ?? textOf(aggregated) ?? textOf(nested) ?? textOf(stdout) ?? shown(output);
}

function commandDisplay(call: Fields): ToolDisplay | null {
  if (call['kind'] !== 'execute') return null;
  const command = commandOf(call);
  if (command === null) return null;
  const output = fieldsOf(call['rawOutput']);
  const code =
    numberOf(output['exit_code']) ?? numberOf(output['exitCode']) ?? numberOf(fieldsOf(output['metadata'])['exit']);
  return { type: 'output', command, exit_code: code, signal: null, spill_path: null };
}

/** The command line of a call that executes one, as far as its input tells. */
export function commandOf(call: Fields): string | null {
  const { command, cmd } = fieldsOf(call['rawInput']);
  const said = command ?? cmd;
  if (Array.isArray(said)) return said.map(String).join(' ');
  return textOf(said);
}

function filesDisplay(call: Fields, workspace: string): ToolDisplay | null {
  const paths = pathsOf(call, workspace);
  return paths.length === 0 ? null : { type: 'files', paths };
}
