import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { CoreLab, value } from '../../testing/core-lab.ts';
import { ProcessLab, until } from '../../testing/process-trees.ts';
import { isSameProcess } from '../../kit/process-tree/host-processes.ts';

const CALLER = { client: 'test' };
const PLAIN = { defaults: { isolation: 'none' as const } };

test('the processes of a live run are measured when asked: pids, parents, memory, time, and no secret in a command line', async () => {
  await using lab = await CoreLab.open();
  const { runs } = lab.service;
  const answer = await lab.dispatch(['sleep 301 & sh -c "sleep 302; true" --token sk-canary12345678; wait'], PLAIN);
  const [run_id = ''] = answer.run_ids;
  const look = async () => value(await runs.processes({ run_id }, CALLER));
  await until('the whole tree', async () => {
    const all = (await look()).processes ?? [];
    return ['sleep 301', 'sleep 302'].every((name) => all.some(({ command }) => command.includes(name)));
  });
  const { processes, attempts, survivors, at } = await look();
  const { pid } = await lab.row(run_id);
  const root = processes?.find((each) => each.pid === pid);
  expect(root?.rss_bytes).toBeGreaterThan(10_000_000);
  expect(root?.cpu_seconds).toBeGreaterThan(0);
  const pids = new Set(processes?.map((each) => each.pid));
  for (const each of processes ?? []) {
    expect(each.pid === pid || pids.has(each.ppid)).toBe(true);
    expect(Math.abs(each.started_at - at)).toBeLessThan(60_000);
  }
  expect(JSON.stringify(processes)).not.toContain('sk-canary');
  expect(JSON.stringify(processes)).toContain('[redacted]');
  expect(attempts).toMatchObject([{ n: 1, state: 'connected', pid, ended_at: null }]);
  expect(survivors).toEqual([]);
  // The receipt of a stop names the processes that it ended, as this shows them (C3).
  const { ended } = value(await runs.stop({ id: run_id }, CALLER));
  expect(ended).toContainEqual({ pid: expect.any(Number) as number, command: 'sleep 301' });
  expect(ended.map((each) => each.command).join()).toMatch(/sleep 302.*\[redacted\]/);
  expect(JSON.stringify(ended)).not.toContain('sk-canary');
  expect(ended.map((each) => each.pid)).not.toContain(pid);
  expect(await look()).toMatchObject({ processes: null, attempts: [{ n: 1, state: 'ended' }] });
});

test('C3, case 40: survivors of a run are ended on request if they are still the same processes, and the row then says so', async () => {
  const processes = new ProcessLab();
  onTestFinished(async () => void (await processes.dispose()));
  await using lab = await CoreLab.open();
  const held = await processes.hold('echo $$ > up; sleep 303');
  held.go();
  await processes.pidIn('up');
  const { run_id } = await lab.run('true', PLAIN);
  await lab.leave();
  const survivors = [
    { pid: held.identity.pid, command: 'serve --api-key=topsecret99', started: held.identity.startTime },
    { pid: process.pid, command: 'reused pid', started: 'long-ago' },
  ];
  const db = new DatabaseSync(join(lab.git.data, 'projects', await lab.project(), 'project.db'));
  db.prepare("UPDATE runs SET row = json_set(row, '$.survivors', json(?), '$.proof', json(?)) WHERE run_id = ?").run(
    JSON.stringify(survivors),
    '{"method":"survivors"}',
    run_id,
  );
  db.close();
  await lab.host();
  const { runs } = lab.service;
  expect(value(await runs.processes({ run_id }, CALLER)).survivors).toEqual([
    { pid: held.identity.pid, command: 'serve --api-key=[redacted]', alive: true },
    { pid: process.pid, command: 'reused pid', alive: false },
  ]);
  const receipt = value(await runs.end_survivors({ run_id }, CALLER));
  expect(receipt).toMatchObject({ gone: [{ pid: process.pid }], survivors: [], untouched: [] });
  expect(receipt.ended.map(({ pid }) => pid)).toContain(held.identity.pid);
  expect(JSON.stringify(receipt)).not.toContain('topsecret99');
  expect(await isSameProcess(held.identity)).toBe(false);
  const row = await lab.rowWhen(run_id, 'no survivors', (now) => now.survivors.length === 0);
  expect(row.proof).toEqual({ method: 'observed', how: 'survivors' });
  expect(value(await runs.end_survivors({ run_id }, CALLER))).toMatchObject({ ended: [], gone: [] });
});

test('a file of the project opens in the editor of the settings at its line; outside the project nothing does', async () => {
  await using lab = new CoreLab();
  const bin = join(lab.git.data, '..', 'bin');
  const told = join(bin, 'told');
  mkdirSync(bin, { recursive: true });
  const program = join(bin, 'pretend-editor');
  writeFileSync(
    program,
    `#!/bin/sh\nprintf '%s\\n' "$@" "$OPENAI_API_KEY" > "${told}.part"; mv "${told}.part" "${told}"\n`,
  );
  chmodSync(program, 0o755);
  lab.settings({ editor: [program, '-l', '{line}', '{path}'] });
  await lab.host({ environment: { ...lab.git.environment, OPENAI_API_KEY: 'sk-canary' } });
  const project_id = await lab.project();
  const name = 'odd "name" $(x).txt';
  writeFileSync(join(lab.git.project, name), 'x\n');
  const { editor } = lab.service.open;
  const target = { project_id, run_id: null, line: 12 };
  expect(value(await editor({ ...target, path: name }, CALLER))).toEqual({
    editor: program,
    path: join(lab.git.project, name),
  });
  await until('the editor', () => existsSync(told));
  expect(readFileSync(told, 'utf8')).toBe(`-l\n12\n${join(lab.git.project, name)}\n\n`);
  for (const path of ['../x', '/etc/passwd'])
    expect(await editor({ ...target, path }, CALLER)).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
  expect(await editor({ ...target, path: 'gone.txt' }, CALLER)).toMatchObject({ error: { code: 'not_found' } });
});

test('D7: a run is rendered as text, JSON and a page, without known secrets; what is no id is refused', async () => {
  await using lab = await CoreLab.open(undefined, {});
  const { run_id } = await lab.run('echo "token=sk-canary12345678 <b>"', PLAIN);
  const { render } = lab.service.export;
  for (const format of ['md', 'json', 'html'] as const) {
    const { name, text } = value(await render({ id: run_id, format }, CALLER));
    expect(name).toBe(`${run_id}.${format}`);
    expect(text).toContain('token=');
    expect(text).not.toContain('canary');
    if (format === 'html') expect(text).toContain('&lt;b&gt;');
  }
  expect(await render({ id: 'x', format: 'md' }, CALLER)).toMatchObject({ error: { code: 'invalid_input' } });
  expect(await render({ id: 'run_nobody', format: 'md' }, CALLER)).toMatchObject({ error: { code: 'not_found' } });
});
