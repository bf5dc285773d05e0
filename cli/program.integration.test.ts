import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BuiltProgram } from '../core/testing/built-program.ts';

const command = (goal: string, more: object = {}) => ({ goal, agent: 'command', ...more });
const LS = { tool_call: { name: 'ls', arguments: {} } };
const SCHEMA = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };

/** Lines about ends, without seconds and advice, in the order of the tasks. */
const ends = (lines: readonly string[]): string[] =>
  lines
    .filter((line) => /^[✓⚠✗■]/u.test(line))
    .map((line) => line.replace(/\(\d+s\)/, '(s)'))
    .sort((a, b) => a.slice(2).localeCompare(b.slice(2)));

test('case 9, R10: dependencies and their outputs in the built program; text on stderr, nothing on stdout, status 1', async () => {
  await using espalier = await BuiltProgram.open();
  const tasks = [
    command(`printf 'A $(touch pwned)'`, { id: 'a' }),
    command('printf "b got %s" {outputs.a}', { id: 'b', depends_on: ['a'] }),
    command('exit 4', { id: 'c', depends_on: ['b'] }),
    command('echo never', { depends_on: ['c'] }),
    command('echo anyhow', { depends_on: ['c'], depends_on_any_outcome: true }),
  ];
  const { status, out, lines } = await espalier.run(['run', '-'], JSON.stringify({ tasks }));
  expect([status, out]).toEqual([1, '']);
  expect(lines[0]).toBe('[set 1] delegating 5 tasks');
  expect(ends(lines)).toEqual([
    "✓ [set 1 · 1/5] printf 'A $(touch pwned)' (s)",
    '✓ [set 1 · 2/5] printf "b got %s" {outputs.a} (s)',
    '✗ [set 1 · 3/5] exit 4 (s) — exit 4',
    '■ [set 1 · 4/5] echo never (s)',
    '✓ [set 1 · 5/5] echo anyhow (s)',
  ]);
  expect(lines.at(-2)).toMatch(/^\[set 1\] partial: 3 completed, 1 failed, 1 stopped · \d+s · \$0\.00$/);
  const id = /^espalier show (deleg_[0-9a-f]{8}) prints the results\.$/.exec(lines.at(-1) ?? '')?.[1] ?? '';
  expect((await espalier.run(['show', id])).out).toContain('b got A $(touch pwned)');
  expect(existsSync(join(espalier.git.project, 'pwned'))).toBe(false);
}, 60_000);

test('case 54, R10: fail_fast in the built program leaves what had not started', async () => {
  await using espalier = await BuiltProgram.open();
  const tasks = [command('exit 3'), command('touch second'), command('touch third')];
  const { status, result } = await espalier.batch({ tasks, fail_fast: true, max_concurrent: 1 });
  expect([status, result.status]).toEqual([1, 'failed']);
  expect(result.results.map((entry) => `${entry.status} ${entry.exit_reason}`)).toEqual([
    'failed error',
    'stopped dependency',
    'stopped dependency',
  ]);
  expect(readdirSync(espalier.git.project)).not.toContain('second');
}, 60_000);

test('cases 21, 22, 23, B16, B18: schemas in the built program: checked before the start, repaired once, kept to', async () => {
  await using espalier = await BuiltProgram.open([
    { match: { user: 'Repaired' }, turns: ['```json\n{"a":"1"}\n```', 'Here: {"a":2}. Hope it helps'] },
    { match: { user: 'Never' }, turns: ['Nothing.', 'Still nothing.'] },
    { match: { user: 'Recursive' }, turns: ['{"n":"2026-01-01","kids":[{"n":"2027-01-01"}]}'] },
    {
      match: { user: 'Pathological' },
      turns: ['{"a":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"}'],
      repeat_last: true,
    },
    { turns: ['Plain.'] },
  ]);
  const n = { type: 'string', format: 'date', pattern: '^2' };
  const P = {
    type: 'object',
    required: ['n'],
    properties: { n, kids: { type: 'array', items: { $ref: '#/$defs/P' } } },
  };
  const evil = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
  const tasks = [
    { goal: 'Repaired answer', output_schema: SCHEMA },
    { goal: 'Never an answer', output_schema: { ...SCHEMA, $schema: 'http://json-schema.org/draft-07/schema#' } },
    { goal: 'Recursive answer', output_schema: { $defs: { P }, $ref: '#/$defs/P' } },
    { goal: 'Pathological answer', output_schema: evil },
    { goal: 'Answer without a schema' },
  ];
  const { status, result } = await espalier.batch({ tasks });
  const [repaired, never, recursive, pathological, plain] = result.results;
  expect([status, result.status]).toEqual([1, 'partial']);
  expect(repaired).toMatchObject({ status: 'completed', output: { a: 2 }, schema_valid: true, schema_retries: 1 });
  expect(never).toMatchObject({ status: 'failed', failure_reason: 'schema', schema_valid: false, schema_retries: 1 });
  expect(never).not.toHaveProperty('output');
  expect(recursive).toMatchObject({ status: 'completed', output: { kids: [{ n: '2027-01-01' }] } });
  expect(recursive).not.toHaveProperty('schema_retries');
  expect(pathological).toMatchObject({ status: 'failed', failure_reason: 'schema' });
  expect(Object.keys(plain ?? {}).filter((key) => key.startsWith('schema') || key === 'output')).toEqual([]);
  const bad = [{ type: 'strnig' }, { $ref: 'http://127.0.0.1:9/x.json' }];
  for (const output_schema of bad) {
    const refused = await espalier.run(['run', '-', '--json'], JSON.stringify([{ goal: 'Whatever', output_schema }]));
    expect([refused.status, refused.out]).toEqual([2, '']);
    expect(refused.lines.join('\n')).toMatch(/Nothing was started:\n.*Task 1: .*(\/type|\/\$ref)/);
  }
}, 60_000);

test('cases 14, 15, 17, 25, T4: limits, budgets, acceptance and errors in the built program: text, JSON and status agree', async () => {
  const spent = { usage: { input: 0, output: 100_000 } };
  const bad = (status: number, message: string) => ({ fault: { status, message } });
  await using espalier = await BuiltProgram.open(
    [
      { match: { user: 'Talks' }, turns: [[{ text: 'So far.' }, LS]], repeat_last: true },
      { match: { user: 'Silent' }, turns: [LS], repeat_last: true },
      { match: { user: 'Slow' }, turns: [[{ text: 'Half of it' }, { wait_for: 'never' }, { text: '.' }]] },
      { match: { user: 'Dear' }, turns: [[spent, { text: 'Costly.' }, LS]], repeat_last: true },
      { match: { user: 'Key' }, turns: [bad(401, 'bad key')] },
      { match: { user: 'Name' }, turns: [bad(404, 'model: none')] },
    ],
    { retries: 0 },
  );
  const verify = (line: string) => ({ acceptance: { verify: [{ command: line }] } });
  const tasks = [
    { goal: 'Talks for ever', limits: { max_turns: 3 } },
    { goal: 'Silent for ever', limits: { max_turns: 3 } },
    { goal: 'Slow to answer', limits: { timeout_seconds: 2 } },
    { goal: 'Dear in each turn', limits: { max_cost_usd: 0.9 } },
    { goal: 'Key is wrong' },
    { goal: 'Name is wrong' },
    command('true', { label: 'passes', ...verify('test -f a.txt') }),
    command('true', { label: 'fails', ...verify('echo no; exit 7') }),
  ];
  const { status, result, lines } = await espalier.batch({ tasks });
  expect([status, result.status]).toEqual([1, 'partial']);
  expect(ends(lines).map((line) => line.replace(/ \(s\)/, ''))).toEqual([
    '⚠ [set 1 · 1/8] Talks for ever',
    '✗ [set 1 · 2/8] Silent for ever — The run reached its limit (max_turns) without a usable answer.',
    '✗ [set 1 · 3/8] Slow to answer — Its time limit of 2 s passed.',
    '⚠ [set 1 · 4/8] Dear in each turn',
    '✗ [set 1 · 5/8] Key is wrong — HTTP 401: bad key',
    '✗ [set 1 · 6/8] Name is wrong — HTTP 404: model: none',
    '✓ [set 1 · 7/8] passes',
    '⚠ [set 1 · 8/8] fails',
  ]);
  const words = result.results.map(({ exit_reason, failure_reason, truncated, acceptance }) =>
    [exit_reason, failure_reason, truncated && 'truncated', acceptance?.status].filter(Boolean).join(' '),
  );
  expect(words).toEqual([
    'max_turns truncated',
    'max_turns empty_answer truncated',
    'timeout',
    'budget truncated',
    'error auth',
    'error model_not_found',
    'done passed',
    'done failed',
  ]);
  expect(result.results[2]).toMatchObject({ status: 'timed_out', summary: 'Half of it', text_cut: true });
  const told = lines.filter((line) => line.startsWith('  → Completed'));
  expect(told.sort()).toEqual([
    '  → Completed: acceptance failed',
    '  → Completed: money limit reached',
    '  → Completed: turn limit reached',
  ]);
  expect(lines.at(-1)).toMatch(/partial: 4 completed, 3 failed, 1 timed out \(3 truncated, 1 acceptance failed\)/);
  const shown = await espalier.run(['show', result.delegation_id]);
  for (const heading of ['fails (completed, acceptance failed)', 'Talks for ever (completed, truncated)']) {
    expect(shown.out).toContain(`## ${heading}`);
  }
}, 60_000);

test('the exit status of the built program: 0 all clean, 2 nothing started, 3 environment, 130 after Ctrl-C; stdout is data or nothing', async () => {
  await using espalier = await BuiltProgram.open([{ turns: [[{ text: 'Half' }, { wait_for: 'never' }]] }]);
  const clean = await espalier.batch([command('true'), command('printf hello')]);
  expect([clean.status, clean.result.status]).toEqual([0, 'completed']);
  expect(clean.out.trimEnd().split('\n')).toHaveLength(1);
  for (const args of [
    ['run', 'missing.json'],
    ['run', '-', '--projct', 'x'],
    ['run', '-'],
  ]) {
    const refused = await espalier.run([...args, '--json'], '["TODO"]');
    expect([refused.status, refused.out]).toEqual([2, '']);
  }
  const tasks = [command('trap "" TERM; sleep 300'), { goal: 'Talk for ever' }];
  let started = 0;
  const stopped = await espalier.run(['run', '-', '--json'], JSON.stringify(tasks), (line, signal) => {
    if (line.startsWith('▸') && (started += 1) === 2) signal('SIGINT');
  });
  expect(stopped.status).toBe(130);
  expect(JSON.parse(stopped.out)).toMatchObject({ status: 'stopped', totals: { stopped: 2 } });
  expect(stopped.lines).toContain('Stopping; Ctrl-C again kills.');
  let began = false;
  const killed = await espalier.run(['run', '-', '--json'], JSON.stringify(tasks), (line, signal) => {
    // Twice, and not a third time: that would leave what is being killed.
    if ((line.startsWith('▸') && !began) || line.startsWith('Stopping;')) signal('SIGINT');
    began ||= line.startsWith('▸');
  });
  expect(killed.status).toBe(130);
  expect(JSON.parse(killed.out)).toMatchObject({ status: 'stopped', totals: { stopped: 2 } });
  writeFileSync(join(espalier.git.data, 'settings.json'), '{ not json');
  expect(await espalier.run(['run', '-'], '["echo hello"]')).toMatchObject({ status: 3, out: '' });
}, 90_000);

test('cli.md, B23: what the system refuses is told in one line, status 3: a data folder that is a file, a folder that is gone, a full disk', async () => {
  await using espalier = await BuiltProgram.open();
  writeFileSync(join(espalier.git.project, 'file'), 'not a folder');
  for (const command of [
    'run -',
    'run - --detach',
    'config set permission auto',
    'doctor',
    'list',
    'show run_1',
    'tail run_1',
    'config path',
    'mcp',
  ]) {
    const { status, out, lines } = await espalier.script(
      `echo 'echo hello' | ESPALIER_HOME="$PWD/file" espalier ${command}`,
    );
    expect([command, status, lines.length <= 1]).toEqual([command, 3, true]);
    expect(`${out}${lines.join()}`).toMatch(/The data folder .*file is not a folder/);
  }
  const gone = 'mkdir gone; cd gone; rmdir ../gone';
  expect(await espalier.script(`${gone}; espalier list`)).toMatchObject({ status: 0 });
  const nowhere = await espalier.script(`${gone}; espalier run file`);
  expect([nowhere.status, nowhere.lines]).toEqual([3, [expect.stringContaining('is gone or cannot be read')]]);
  if (!existsSync('/dev/full')) return;
  const full = await espalier.script('espalier --version >/dev/full');
  expect([full.status, full.lines]).toEqual([3, [expect.stringContaining('ENOSPC')]]);
  const untold = await espalier.script(
    'printf "[%s]" \'{"goal":"true","agent":"command"}\' | espalier run - --json 2>/dev/full',
  );
  expect([untold.status, untold.out]).toEqual([0, expect.stringContaining('"status":"completed"')]);
}, 60_000);

test('B03: from a bare environment the built program has the PATH of the login shell and known folders, and the doctor says how each program was found', async () => {
  await using espalier = await BuiltProgram.open();
  const home = join(espalier.git.data, 'First Last (é)');
  const install = (folder: string, name: string): void => {
    mkdirSync(join(home, folder), { recursive: true });
    writeFileSync(join(home, folder, name), '#!/usr/bin/env sh\necho 1.2.3 "$0"\n', { mode: 0o755 });
  };
  install('tools', 'claude');
  install('.local/bin', 'pi');
  writeFileSync(join(home, '.profile'), 'echo Welcome; PATH="$HOME/tools:$PATH"; export PATH\n');
  const bare = { PATH: '/usr/bin:/bin', HOME: home, SHELL: '/bin/sh' };
  const { out } = await espalier.run(['doctor', '--json'], '', undefined, bare);
  const { checks } = JSON.parse(out) as { checks: { name: string; ok: boolean; note?: string; detail: string }[] };
  const said = (start: string): string => checks.find(({ detail }) => detail.startsWith(start))?.detail ?? '';
  expect(checks.find(({ name }) => name === 'PATH')).toMatchObject({
    ok: true,
    detail: expect.stringContaining('login shell /bin/sh') as string,
  });
  expect(said('claude-cli:')).toContain(`${join(home, 'tools', 'claude')} (on the PATH of the login shell)`);
  expect(said('claude-cli:')).toContain('ready, 1.2.3');
  const noted = (start: string): unknown => checks.find(({ detail }) => detail.startsWith(start))?.note;
  expect([noted('claude-cli:'), noted('codex-cli: missing'), noted('Anthropic: not found')]).toEqual([
    undefined,
    'absent',
    'absent',
  ]);
  expect(said('pi:') || said('pi-cli:')).toContain('(in a folder of installers)');
}, 60_000);
