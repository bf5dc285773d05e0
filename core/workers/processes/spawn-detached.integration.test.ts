import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hostProcesses, isSameProcess } from '../../kit/process-tree/host-processes.ts';
import { toolEnvironment } from '../../kit/process-tree/tool-environment.ts';
import { ProcessLab } from '../../testing/process-trees.ts';
import { spawnDetached } from './spawn-detached.ts';
import type { DetachedProcess, DetachedProgram } from './spawn-detached.ts';

let lab: ProcessLab;

beforeEach(() => {
  lab = new ProcessLab();
});

afterEach(async () => {
  expect(await lab.dispose()).toEqual([]);
});

function program(command: string, args: string[], more: Partial<DetachedProgram> = {}): DetachedProgram {
  return {
    command,
    args,
    env: toolEnvironment({ PATH: process.env.PATH }, { runId: lab.runId }),
    cwd: lab.folder,
    stdoutPath: lab.path('out.log'),
    stderrPath: lab.path('err.log'),
    stdinBytes: Buffer.from('the token'),
    ...more,
  };
}

async function started(of: DetachedProgram): Promise<DetachedProcess> {
  const result = await spawnDetached(of, hostProcesses());
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

test('input once and closed, outputs in private files, exit told, own session', async () => {
  const child = await started(program('sh', ['-c', 'cat; echo oops >&2; ps -o pid=,pgid=,sid= -p $$; exit 7']));
  expect(await child.waitExit()).toEqual({ code: 7, signal: null });
  expect(await child.waitExit()).toEqual({ code: 7, signal: null });
  const [text = '', ...ids] = readFileSync(lab.path('out.log'), 'utf8')
    .trim()
    .split(/\s+(?=\d)/);
  expect(text.startsWith('the token')).toBe(true);
  const pids = `${text} ${ids.join(' ')}`.match(/\d+/g);
  expect(pids).toEqual([child.pid, child.pid, child.pid].map(String));
  expect(readFileSync(lab.path('err.log'), 'utf8')).toBe('oops\n');
  expect(statSync(lab.path('out.log')).mode & 0o777).toBe(0o600);
  expect(await isSameProcess(child.identity)).toBe(false);
});

test('B04: arguments arrive byte for byte', async () => {
  const args = ['a b', '', '"q"', "it's", '$HOME', '*', 'ä\u{1F600}', 'x\ny'];
  const script = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
  await (await started(program(process.execPath, ['-e', script, '--', ...args]))).waitExit();
  expect(JSON.parse(readFileSync(lab.path('out.log'), 'utf8'))).toEqual(args);
});

test('D7: a file or a link in the place of an output is not written to', async () => {
  writeFileSync(lab.path('victim'), 'precious');
  symlinkSync(lab.path('victim'), lab.path('err.log'));
  const result = await spawnDetached(program('sh', ['-c', 'echo over >&2']), hostProcesses());
  expect(result).toMatchObject({ ok: false, error: { code: 'output_exists' } });
  expect(readFileSync(lab.path('victim'), 'utf8')).toBe('precious');
  expect(existsSync(lab.path('out.log'))).toBe(false);
});

test('a start that fails is a value, leaves no files, and can be repeated', async () => {
  const missing = await spawnDetached(program('no-such-program-here', []), hostProcesses());
  expect(missing).toMatchObject({ ok: false, error: { code: 'not_found', command: 'no-such-program-here' } });
  const folder = await spawnDetached(program('sh', [], { cwd: lab.path('nowhere') }), hostProcesses());
  expect(folder).toMatchObject({ ok: false, error: { code: 'cwd_missing' } });
  expect(existsSync(lab.path('out.log'))).toBe(false);
  expect(await (await started(program('true', []))).waitExit()).toEqual({ code: 0, signal: null });
});

test('a signal is told as the end, and a program that never reads its input is no trouble', async () => {
  const big = Buffer.alloc(1_000_000, 'x');
  const child = await started(program('sh', ['-c', 'kill -9 $$'], { stdinBytes: big }));
  expect(await child.waitExit()).toEqual({ code: null, signal: 'SIGKILL' });
});

test('a detached program does not keep its starter alive', async () => {
  const here = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  const options = JSON.stringify({ ...program('sleep', ['300']), stdinBytes: undefined });
  const script = `
    const { spawnDetached } = await import(${here('./spawn-detached.ts')});
    const { hostProcesses } = await import(${here('../../kit/process-tree/host-processes.ts')});
    const result = await spawnDetached({ ...${options}, stdinBytes: new Uint8Array() }, hostProcesses());
    process.stdout.write(JSON.stringify(result.value.identity));`;
  const outputs = { stdoutPath: lab.path('starter.log'), stderrPath: lab.path('starter-errors.log') };
  const starter = await started(program(process.execPath, ['--input-type=module', '-e', script], outputs));
  expect(await starter.waitExit()).toEqual({ code: 0, signal: null });
  const identity = JSON.parse(readFileSync(lab.path('starter.log'), 'utf8')) as { pid: number; startTime: string };
  expect(await isSameProcess(identity)).toBe(true);
  await hostProcesses().signal({ signal: 'SIGKILL', processes: [identity], groups: [] });
});
