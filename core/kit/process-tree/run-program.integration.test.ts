import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ProcessLab, until } from '../../testing/process-trees.ts';
import { systemClock } from '../clock.ts';
import { hostProcesses, isSameProcess, processIdentity } from './host-processes.ts';
import type { ProcessIdentity } from './process-entry.ts';
import { ProcessScanner } from './process-scanner.ts';
import { runProgram } from './run-program.ts';
import type { ProgramEnd, ProgramRun } from './run-program.ts';
import { toolEnvironment } from './tool-environment.ts';

const scanner = new ProcessScanner({
  source: hostProcesses(),
  clock: systemClock,
  scanEveryMs: { minMs: 20, maxMs: 50 },
});

let lab: ProcessLab;
let out: string;
let errors: string;

beforeEach(() => {
  lab = new ProcessLab();
  out = '';
  errors = '';
});

afterEach(async () => {
  expect(await lab.dispose()).toEqual([]);
});

function program(command: string, args: string[], more: Partial<ProgramRun> = {}): ProgramRun {
  return {
    command,
    args,
    env: toolEnvironment({ PATH: process.env.PATH }, { runId: lab.runId }),
    cwd: lab.folder,
    scanner,
    clock: systemClock,
    graceMs: 200,
    background: 'leave',
    onStdout: (text) => (out += text),
    onStderr: (text) => (errors += text),
    ...more,
  };
}

async function run(command: string, args: string[], more: Partial<ProgramRun> = {}): Promise<ProgramEnd> {
  const result = await runProgram(program(command, args, more));
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const sh = (script: string, more: Partial<ProgramRun> = {}): Promise<ProgramEnd> => run('sh', ['-c', script], more);
const node = (script: string, ...args: string[]): Promise<ProgramEnd> => run(process.execPath, ['-e', script, ...args]);

async function kill(pid: number): Promise<void> {
  const identity = await processIdentity(pid);
  if (identity !== null) await hostProcesses().signal({ signal: 'SIGKILL', processes: [identity], groups: [] });
}

describe('ends and outputs', () => {
  test('code, signal, both outputs and the input', async () => {
    expect(await sh('cat; echo problem >&2; exit 3', { input: 'question\n' })).toMatchObject({
      code: 3,
      signal: null,
      receipt: null,
      background: [],
    });
    expect(out).toBe('question\n');
    expect(errors).toBe('problem\n');
    expect(await sh('kill -9 $$')).toMatchObject({ code: null, signal: 'SIGKILL' });
  });

  test('a program that does not read its input ends normally', async () => {
    expect(await sh('exit 0', { input: 'x'.repeat(1_000_000) })).toMatchObject({ code: 0 });
  });

  test('large outputs arrive whole', async () => {
    await sh('head -c 5000000 /dev/zero | tr "\\0" a; head -c 3000000 /dev/zero | tr "\\0" b >&2');
    expect(out.length).toBe(5_000_000);
    expect(errors.length).toBe(3_000_000);
  });

  test('B04: arguments arrive byte for byte', async () => {
    const args = ['a b', '', '"q"', "it's", '$HOME', '*', 'ä\u{1F600}', '--', '\\n', 'x\ny', '%PATH%'];
    await node('process.stdout.write(JSON.stringify(process.argv.slice(1)))', '--', ...args);
    expect(JSON.parse(out)).toEqual(args);
  });

  test('B04: a program in a folder with a space is started', async () => {
    await sh(`mkdir "my tools" && printf '#!/bin/sh\\necho "$1"' > "my tools/run it" && chmod 755 "my tools/run it"`);
    expect(await run(lab.path('my tools/run it'), ['one two'])).toMatchObject({ code: 0 });
    expect(out).toBe('one two\n');
  });

  test('B05: a character cut between two chunks comes out whole, on both outputs', async () => {
    await node(`
      const bytes = Buffer.from('aé漢😀z');
      let at = 0;
      const next = () => {
        if (at === bytes.length) return;
        process.stdout.write(bytes.subarray(at, at + 1));
        process.stderr.write(bytes.subarray(at, at + 1), () => setTimeout(next, 5));
        at += 1;
      };
      next();`);
    expect(out).toBe('aé漢😀z');
    expect(errors).toBe('aé漢😀z');
  });

  test('B05: an incomplete character at the end is shown once as U+FFFD', async () => {
    await sh(`printf 'ok\\360\\237\\230'`);
    expect(out).toBe('ok\uFFFD');
  });
});

describe('starts that fail are values', () => {
  test.each([
    ['not_found', 'no-such-program-here', {}],
    ['cwd_missing', 'sh', { cwd: '/no/such/folder' }],
    ['not_executable', '/etc/passwd', {}],
    ['bad_argument', 'sh', { args: ['a\0b'] }],
    ['too_large', 'sh', { args: ['x'.repeat(5_000_000)] }],
    ['aborted', 'sh', { signal: AbortSignal.abort() }],
  ] as [string, string, Partial<ProgramRun>][])('%s', async (code, command, more) => {
    const result = await runProgram(program(command, [], more));
    expect(result).toMatchObject({ ok: false, error: { code, command } });
  });
});

describe('B01: background processes', () => {
  const CANARY = 'while :; do date +%s.%N >> canary; echo chirp; sleep 0.02; done';

  test('a talking background child does not hold the call, is reported, and goes on', async () => {
    const end = await sh(`sh -c 'echo $$ > child; ${CANARY}' & while [ ! -s canary ]; do sleep 0.02; done; echo done`);
    const child = await lab.pidIn('child');
    expect(end.code).toBe(0);
    expect(out).toContain('done\n');
    expect(end.background.map(({ pid }) => pid)).toContain(child);
    const [heard, sung] = [out, lab.size('canary')];
    await until('it sings on, and does not die of a closed pipe', () => lab.size('canary') > sung + 500);
    expect(out).toBe(heard);
    await kill(child);
    await until('nothing of it is left', async () => (await lab.leftovers()).length === 0);
  });

  test('a silent background child that holds the outputs does not hold the call', async () => {
    const end = await sh('sleep 300 & echo $! > child; until ps -o args= -p $! | grep -q "^sleep"; do :; done');
    expect(end.background).toEqual([{ pid: await lab.pidIn('child'), command: 'sleep 300' }]);
    await kill(await lab.pidIn('child'));
  });

  test('with background: end they are ended and listed', async () => {
    const end = await sh('sleep 301 & setsid sleep 302 & while ! ps -eo args | grep -q "^sleep 302"; do :; done', {
      background: 'end',
    });
    expect(end.background.map(({ command }) => command).sort()).toEqual(['sleep 301', 'sleep 302']);
    expect(end.survivors).toEqual([]);
    expect(await lab.leftovers()).toEqual([]);
  });

  test.each([
    ['in the background', `( ${CANARY} & ) ; sleep 600`],
    ['behind setsid', `setsid sh -c '${CANARY}' & sleep 600`],
    ['behind setsid, re-parented at once', `setsid -f sh -c '${CANARY}'; sleep 600`],
    ['behind nohup, deaf to SIGTERM', `trap "" TERM; nohup sh -c '${CANARY}' & sleep 600`],
  ])('an abort ends the canary %s', async (_, script) => {
    const stop = new AbortController();
    const ending = sh(script, { signal: stop.signal });
    await until('the canary sings', () => lab.size('canary') > 0);
    stop.abort();
    const end = await ending;
    expect(end.receipt?.proof).toEqual({ method: 'observed', how: 'session+marker+descendants' });
    expect(end.survivors).toEqual([]);
    expect(await lab.leftovers()).toEqual([]);
    const last = readFileSync(lab.path('canary'), 'utf8');
    await sh('sleep 0.1');
    expect(readFileSync(lab.path('canary'), 'utf8')).toBe(last);
  });

  test('an abort ends this call alone, not what runs beside it with the same marker', async () => {
    let neighbour: ProcessIdentity | undefined;
    const quiet = new AbortController();
    const beside = sh('exec sleep 300', { signal: quiet.signal, onStart: (identity) => (neighbour = identity) });
    const stop = new AbortController();
    const ending = sh('echo up; exec sleep 300', { signal: stop.signal });
    await until('both run', () => out === 'up\n' && neighbour !== undefined);
    stop.abort();
    expect((await ending).receipt?.ended).toHaveLength(1);
    expect(neighbour !== undefined && (await isSameProcess(neighbour))).toBe(true);
    quiet.abort();
    expect((await beside).signal).toBe('SIGTERM');
  });
});
