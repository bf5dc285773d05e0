import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CoreLab, isAlive, value } from '../../testing/core-lab.ts';
import { until } from '../../testing/process-trees.ts';

const CALLER = { client: 'test' };

async function open(environment: Record<string, string> = {}) {
  const lab = new CoreLab();
  await lab.host({ environment: { ...lab.git.environment, SHELL: '/bin/sh', ...environment } });
  const project_id = await lab.project();
  const { terminals } = lab.service;
  const row = value(await terminals.open({ project_id, run_id: null, cols: 90, rows: 30 }, CALLER));
  const { terminal_id } = row;
  const type = async (data: string) => value(await terminals.write({ terminal_id, data }, CALLER));
  /** Reads on until the output has a text. */
  const see = async (text: string): Promise<string> => {
    let seen = '';
    for (let from = 0; !seen.includes(text);) {
      const piece = value(await terminals.read({ terminal_id, from }, CALLER));
      seen += piece.data;
      from = piece.next;
      if (!piece.alive && piece.data === '') break;
    }
    return seen;
  };
  return { lab, terminals, row, terminal_id, type, see, project_id };
}

test('a shell runs in the project on a terminal of the size asked for, without keys and without our variables', async () => {
  const { lab, row, type, see, terminals, terminal_id } = await open({
    ESPALIER_HOME: '/x',
    OPENAI_API_KEY: 'sk-canary',
  });
  await using _lab = lab;
  expect(row).toMatchObject({ cwd: lab.git.project, alive: true });
  await type('stty size; pwd; env | grep -cE "^ESPALIER|sk-canary"; echo do""ne\r');
  const seen = await see('done');
  expect(seen).toContain('30 90');
  expect(seen).toContain(lab.git.project);
  expect(seen).toMatch(/\n0\r?\n/);
  value(await terminals.resize({ terminal_id, cols: 50, rows: 10 }, CALLER));
  await type('stty size; echo aga""in\r');
  expect(await see('again')).toContain('10 50');
});

test('C3: closing a terminal ends the shell with all it started; later calls are told', async () => {
  const { lab, type, terminals, terminal_id } = await open();
  await using _lab = lab;
  const file = join(lab.git.project, 'pid');
  await type('trap "" HUP; sleep 300 & echo $! > pid.part; mv pid.part pid\r');
  await until('the pid', () => Promise.resolve(existsSync(file)));
  const pid = Number(readFileSync(file, 'utf8'));
  expect(await isAlive(pid)).toBe(true);
  value(await terminals.close({ terminal_id }, CALLER));
  expect(await isAlive(pid)).toBe(false);
  expect(value(await terminals.list(undefined, CALLER))).toEqual([]);
  expect(await terminals.read({ terminal_id, from: 0 }, CALLER)).toMatchObject({
    ok: false,
    error: { code: 'not_found' },
  });
});

test('a shell that ended keeps its last output and its status, and takes no more input', async () => {
  const { lab, type, see, terminals, terminal_id } = await open();
  await using _lab = lab;
  await type('echo last; exit 7\r');
  await until('the end', async () => value(await terminals.list(undefined, CALLER))[0]?.alive === false);
  expect(await see('never')).toContain('last');
  expect(value(await terminals.list(undefined, CALLER))).toMatchObject([{ alive: false, exit_code: 7 }]);
  const refused = await terminals.write({ terminal_id, data: 'x' }, CALLER);
  expect(refused).toMatchObject({ ok: false, error: { code: 'already_ended' } });
});

test('terminals are bounded in number, and an unknown project is refused', async () => {
  const { lab, terminals, project_id } = await open();
  await using _lab = lab;
  const input = { project_id, run_id: null, cols: 80, rows: 24 };
  for (let i = 1; i < 16; i += 1) value(await terminals.open(input, CALLER));
  expect(await terminals.open(input, CALLER)).toMatchObject({ ok: false, error: { code: 'limit_reached' } });
  const unknown = { ...input, project_id: 'proj_000000000000' };
  expect(await terminals.open(unknown, CALLER)).toMatchObject({ ok: false, error: { code: 'no_project' } });
});
