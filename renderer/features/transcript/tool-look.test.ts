import { describe, expect, it } from 'vitest';
import type { ToolDisplay } from '../../../core/protocol/entry.ts';
import { argumentLines, endWords, lookOf, opensByItself, outputText, readWords, type ToolCall } from './tool-look.ts';

const aCall = (part: Partial<ToolCall> & { args?: unknown } = {}): ToolCall => ({
  type: 'tool_call',
  call_id: 'c',
  name: 'read',
  title: 'Reading a.ts',
  arguments: JSON.stringify(part.args ?? {}),
  status: 'ok',
  display: null,
  seconds: 1,
  ...part,
});
const output = (part: Partial<Extract<ToolDisplay, { type: 'output' }>> = {}): ToolDisplay => ({
  type: 'output',
  command: 'npm test',
  exit_code: 0,
  signal: null,
  spill_path: null,
  ...part,
});

describe('heads of tool calls', () => {
  it.each([
    [aCall({ name: 'bash', args: { command: 'ls\nrm x' } }), 'terminal', 'ls', ''],
    [aCall({ name: 'bash', display: output() }), 'terminal', 'npm test', ''],
    [aCall({ name: 'Edit', args: { file_path: 'src/a.ts' } }), 'edit', 'src/a.ts', ''],
    [aCall({ name: 'x', display: { type: 'diff', path: 'b.ts', diff: '', added: 1, removed: 0 } }), 'edit', 'b.ts', ''],
    [
      aCall({ name: 'delegate_task', args: { tasks: [1, 2, 3], wait: false } }),
      'delegate',
      'delegate_task',
      '3 tasks, wait: false',
    ],
    [
      aCall({ name: 'delegate_task', display: { type: 'delegation', delegation_id: 'd', set: 2, count: 1 } }),
      'delegate',
      'delegate_task',
      '1 task',
    ],
    [aCall({ name: 'mcp__x__y', title: 'Listing issues' }), 'tool', 'mcp__x__y', 'Listing issues'],
    [aCall({ name: 'grep', title: 'Searching a' }), 'search', 'grep', 'Searching a'],
    // Arguments that were cut are shown as they are, never read as more than they say.
    [aCall({ name: 'bash', arguments: '{"command": "rm -r' }), 'terminal', 'bash', ''],
  ])('%# reads as it should', (call, icon, code, words) => {
    expect(lookOf(call)).toEqual({ icon, code, words });
  });

  it('says how it ended: exit status, signal, failure, refusal, or that it asks', () => {
    expect(endWords(aCall({ display: output({ exit_code: 1 }) }))).toEqual({ text: 'exit 1', tone: 'bad' });
    expect(endWords(aCall({ display: output({ exit_code: null, signal: 'SIGTERM' }) }))?.text).toBe('ended by SIGTERM');
    expect(endWords(aCall({ status: 'error' }))?.text).toBe('failed');
    expect(endWords(aCall({ status: 'refused' }))?.text).toBe('not run');
    expect(endWords(aCall({ status: 'waiting' }))?.text).toBe('asks');
    expect(endWords(aCall({ display: output() }))).toBeNull();
    expect(endWords(aCall({ status: 'running' }))).toBeNull();
  });

  it('opens what changed something, printed something or went wrong', () => {
    expect(opensByItself(aCall({ display: output() }))).toBe(true);
    expect(opensByItself(aCall({ status: 'error' }))).toBe(true);
    expect(opensByItself(aCall({ name: 'bash', status: 'waiting' }))).toBe(false);
    expect(opensByItself(aCall({ name: 'mcp__x' }))).toBe(false);
  });
});

describe('folded reads', () => {
  const read = (path: string): ToolCall => aCall({ args: { path } });
  it('counts files once and names their folders, most first', () => {
    const calls = [read('src/a.ts'), read('docs/x.md'), read('src/b.ts'), read('src/a.ts')];
    expect(readWords(calls)).toEqual({ title: 'Read 3 files', detail: 'src, docs' });
  });

  it('one file is named itself', () => {
    expect(readWords([read('src/a.ts')])).toEqual({ title: 'Read 1 file', detail: 'src/a.ts' });
  });

  it('says searches and listings too', () => {
    const calls = [
      read('a.ts'),
      aCall({ name: 'grep', args: { pattern: 'x' } }),
      aCall({ name: 'ls', args: { path: 'src' } }),
    ];
    expect(readWords(calls).title).toBe('Read 1 file, searched once, listed 1 folder');
    expect(readWords(calls.slice(1)).title).toBe('Searched once, listed 1 folder');
  });
});

describe('bodies of tool calls', () => {
  it('arguments are lines, also when they are no object', () => {
    expect(argumentLines(aCall({ args: { path: 'a', n: [1] } }))).toEqual([
      { name: 'path', value: 'a' },
      { name: 'n', value: '[\n  1\n]' },
    ]);
    expect(argumentLines(aCall({ arguments: '{"cut' }))).toEqual([{ name: '', value: '{"cut' }]);
    expect(argumentLines(aCall({ arguments: '' }))).toEqual([]);
  });

  it('the exit status is not said twice', () => {
    const call = aCall({ display: output({ exit_code: 1 }) });
    expect(outputText(call, 'boom\n[exit code 1]\n')).toBe('boom');
    expect(outputText(call, 'boom\n[exit code 2]')).toBe('boom\n[exit code 2]');
    expect(outputText(aCall(), 'x\n')).toBe('x');
  });
});
