import { existsSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ToolFixture } from './tool-fixture.ts';

test('bash gives output and exit code, with both streams, in the workspace', async () => {
  await using tools = new ToolFixture();
  expect(await tools.call('bash', { command: 'pwd; echo problem >&2' })).toMatchObject({ isError: false });
  expect(await tools.call('bash', { command: 'echo out; exit 3' })).toEqual({
    isError: true,
    text: 'out\n[exit code 3]',
    display: { type: 'output', command: 'echo out; exit 3', exit_code: 3, signal: null, spill_path: null },
  });
  expect((await tools.call('bash', { command: 'true' })).text).toBe('(no output)');
  expect((await tools.call('bash', { command: 'pwd' })).text).toBe(tools.workspace);
  expect((await tools.call('bash', { command: 'kill -KILL $$' })).text).toContain('[ended by signal SIGKILL]');
});

test('bash has no input and nobody to prompt: what reads ends at once', async () => {
  await using tools = new ToolFixture();
  expect((await tools.call('bash', { command: 'cat; read x; echo "$PAGER $ESPALIER_RUN"' })).text).toBe(
    `cat ${tools.runId}`,
  );
});

test('B05: a character cut between two writes is whole', async () => {
  await using tools = new ToolFixture();
  const command = `printf 'A\\342'; sleep 0.1; printf '\\202'; sleep 0.1; printf '\\254-B\\n'`;
  expect((await tools.call('bash', { command })).text).toBe('A€-B');
  expect(tools.shown).toBe('A€-B\n');
});

test('B30: 50 MB of coloured output is bounded, stripped for the model, whole in a private file that read can page', async () => {
  await using tools = new ToolFixture();
  const before = process.memoryUsage().rss;
  const result = await tools.call('bash', {
    command: `yes $'\\e[38;2;1;2;3mX\\e[0m' | head -c 50000000; echo; echo the end`,
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(120_000_000);
  expect(result.text.length).toBeLessThanOrEqual(50_100);
  expect(result.text).toMatch(/^X\nX\n[^]*characters cut; full text: [^]*X\nthe end$/);
  expect(tools.shown.length).toBeLessThan(300_000);
  const path = /full text: (\S+) …/.exec(result.text)?.[1] ?? '';
  expect(result.display).toMatchObject({ spill_path: path });
  expect(statSync(path).size).toBeGreaterThanOrEqual(50_000_000);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect((await tools.call('read', { path, limit: 2 })).text).toContain('X\nX\n[lines 1–2 of');
  const lines = Number(/\[lines 1–2 of (\d+)/.exec((await tools.call('read', { path, limit: 2 })).text)?.[1]);
  expect((await tools.call('grep', { path, pattern: 'the end' })).text).toBe(`${path}:${lines}:the end`);
});

test('B30: titles, clipboard, screen switches and NUL do not reach the model or the view', async () => {
  await using tools = new ToolFixture();
  const result = await tools.call('bash', {
    command: `printf '\\033]0;pwn\\a\\033]52;c;ZXZpbA==\\a\\033[2J\\033[?1049h\\0\\033[31mred\\033[0m\\n'`,
  });
  expect(result.text).toBe('red');
  expect(tools.shown).toBe('\x1b[31mred\x1b[0m\n');
});

test('B30: a progress bar of 200 000 updates is its last state', async () => {
  await using tools = new ToolFixture();
  const result = await tools.call('bash', { command: `seq 200000 | tr '\\n' '\\r'; echo; echo done` });
  expect(result.text).toBe('200000\ndone');
});

test('B30: random bytes are named binary and kept out of the context', async () => {
  await using tools = new ToolFixture();
  const result = await tools.call('bash', { command: 'head -c 5000000 /dev/urandom' });
  expect(result.text).toMatch(/^\[binary output, \d+ bytes; full text: \S+\]$/);
});

test('B30: one line of 20 MB keeps its head and tail', async () => {
  await using tools = new ToolFixture();
  const { text } = await tools.call('bash', {
    command: `printf start; head -c 20000000 /dev/zero | tr '\\0' x; printf end`,
  });
  expect(text.startsWith('startxxx')).toBe(true);
  expect(text.endsWith('xxxend')).toBe(true);
  expect(text.length).toBeLessThanOrEqual(50_000);
});

test('a command over its timeout is ended with all it started, and keeps its output', async () => {
  await using tools = new ToolFixture();
  const result = await tools.call('bash', {
    command: 'echo begun; (sleep 300; touch late) & sleep 300',
    timeout_seconds: 1,
  });
  expect(result).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^begun\n\[ended after its timeout of 1 s/) as string,
  });
});

test('a stopped run ends its command and keeps the partial output', async () => {
  await using tools = new ToolFixture();
  const running = tools.call('bash', { command: 'echo partial; sleep 300' });
  await expect.poll(() => tools.shown).toBe('partial\n');
  tools.stop.abort();
  expect(await running).toMatchObject({ isError: true, text: 'partial\n[stopped]' });
});

test('a background child of a command that goes on talking does not hold the call, and is named', async () => {
  await using tools = new ToolFixture();
  const result = await tools.call('bash', { command: '(while :; do echo talk; sleep 0.02; done) & echo started' });
  expect(result.isError).toBe(false);
  expect(result.text).toContain('started');
  const pid = Number(/\[still running, started by the command: .*?\(pid (\d+)\)/.exec(result.text)?.[1]);
  process.kill(pid, 'SIGKILL');
});

test('a background process is started at once, read, listed and killed with all it started', async () => {
  await using tools = new ToolFixture();
  const started = await tools.call('bash', { command: 'echo one; sleep 300 & sleep 300', background: true });
  expect(started.text).toMatch(/^Started in the background as bg_1 \(pid \d+\)\. /);
  const first = await tools.call('bash_output', { id: 'bg_1', wait_seconds: 30 });
  expect(first.text).toMatch(/^one\n\[running for \d+ s, pid \d+; full log: /);
  expect((await tools.call('bash_list', {})).text).toMatch(/^bg_1 {2}running for \d+ s, pid \d+ {2}echo one; sleep/);
  const killed = await tools.call('bash_kill', { id: 'bg_1' });
  expect(killed).toMatchObject({
    isError: false,
    text: expect.stringMatching(/^bg_1: ended by request after \d+ s\.$/) as string,
  });
  expect((await tools.call('bash_list', {})).text).toMatch(/^bg_1 {2}ended by request/);
  expect((await tools.call('bash_kill', { id: 'bg_9' })).text).toBe(
    'There is no background process "bg_9". Known: bg_1.',
  );
  expect((await tools.call('bash_output', { id: 'bg_9' })).isError).toBe(true);
});

test('reading a background process gives only what is new, also an unfinished line, and its end', async () => {
  await using tools = new ToolFixture();
  await tools.call('bash', {
    command: `mkfifo gate; printf 'ready> '; cat gate > /dev/null; echo second; exit 4`,
    background: true,
  });
  expect((await tools.call('bash_output', { id: 'bg_1', wait_seconds: 30 })).text).toMatch(/^ready> \n\[running/);
  expect((await tools.call('bash_output', { id: 'bg_1' })).text).toMatch(/^\(no new output\)\n\[running/);
  await tools.call('bash', { command: 'echo go > gate' });
  await expect.poll(() => tools.background.list()[0]?.end?.exitCode).toBe(4);
  const last = (await tools.call('bash_output', { id: 'bg_1', wait_seconds: 30 })).text;
  expect(last).toMatch(/^second\n\[exited with code 4 after \d+ s/);
  const log = /full log: (\S+)\]/.exec(last)?.[1] ?? '';
  expect(readFileSync(log, 'utf8')).toBe('ready> second\n');
});

test('a background process that cannot be written about or started says why', async () => {
  await using tools = new ToolFixture();
  const refused = await tools.background.start({
    command: 'nothing', file: '/no/such/program', args: [], cwd: tools.workspace, environment: {}, spillFolder: tools.spillFolder,
  }); // prettier-ignore
  expect(refused).toEqual({ ok: false, error: 'The program was not found: /no/such/program' });
  expect(tools.background.list()).toEqual([]);
});

test('C4: at the end of the run the background processes are ended and listed', async () => {
  await using tools = new ToolFixture();
  await tools.call('bash', { command: 'sleep 300 & sleep 300', background: true });
  await tools.call('bash', { command: 'true', background: true });
  await expect.poll(() => tools.background.list()[1]?.end?.exitCode).toBe(0);
  const ended = await tools.background.stopAll();
  expect(ended).toEqual([{ pid: expect.any(Number) as number, command: 'sleep 300 & sleep 300' }]);
  expect(existsSync(`/proc/${ended[0]?.pid}`)).toBe(false);
});

test('more background processes than allowed are refused with the way out', async () => {
  await using tools = new ToolFixture();
  for (let n = 0; n < 32; n += 1) await tools.call('bash', { command: 'sleep 300', background: true });
  expect((await tools.call('bash', { command: 'sleep 300', background: true })).text).toContain(
    'end one with bash_kill first',
  );
}, 60_000);
