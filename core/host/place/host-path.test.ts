import { delimiter } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { HostPath } from './host-path.ts';

const BARE = { PATH: '/usr/bin:/bin', HOME: '/home/kim' };
const says = (path: string | null) => {
  let asked = 0;
  const run = async (): Promise<string | null> => {
    asked += 1;
    return path === null ? null : `__espalier_path__PATH=${path}\n`;
  };
  return { run, asked: () => asked };
};

const open = (
  environment: Record<string, string>,
  run: () => Promise<string | null>,
  ask: 'bare' | 'always' = 'bare',
) => HostPath.open({ environment, platform: 'linux', clock: systemClock, ask, run });

test('B03: a core that is started from a bare environment has the PATH of the login shell, and tells how a program was found', async () => {
  const shell = says('/home/kim/tools:/bin');
  const path = await open(BARE, shell.run);
  expect(path.environment['PATH']?.split(delimiter).slice(0, 3)).toEqual(['/home/kim/tools', '/bin', '/usr/bin']);
  expect(path.foundBy('/home/kim/tools/claude')).toBe('login_shell');
  expect(path.foundBy('/usr/bin/claude')).toBe('path');
  expect(path.foundBy('/home/kim/.local/bin/claude')).toBe('known_folder');
  expect(path.environment['PATH']?.split(delimiter)).toContain('/home/kim/.local/bin');
  expect(path.words).toContain('from the login shell /bin/sh');
});

test('B03: a terminal has the person’s PATH already: no shell is asked; a start from the desktop always asks', async () => {
  const shell = says('/home/kim/tools');
  const own = { ...BARE, PATH: '/home/kim/bin:/usr/bin' };
  expect((await open(own, shell.run)).environment['PATH']?.startsWith('/home/kim/bin:/usr/bin:')).toBe(true);
  expect(shell.asked()).toBe(0);
  await open(own, shell.run, 'always');
  expect(shell.asked()).toBe(1);
  await open({ ...BARE, ESPALIER_RESOLVING_ENVIRONMENT: '1' }, shell.run);
  await open({ ...BARE, SHELL: '/usr/sbin/nologin' }, shell.run);
  expect(shell.asked()).toBe(1);
});

test('B03: an empty answer is never kept: the next look asks again, and a good answer is not asked for twice', async () => {
  const answers = [null, '__espalier_path__PATH=/home/kim/tools\n'];
  let asked = 0;
  const path = await open(BARE, async () => answers[asked++] ?? null);
  expect([path.isLacking, path.words.includes('gave no answer')]).toEqual([true, true]);
  expect(await path.lookAgain()).toMatch(/^\/home\/kim\/tools:/);
  expect(path.isLacking).toBe(false);
  expect(path.foundBy('/home/kim/tools/x')).toBe('login_shell');
  await path.lookAgain();
  expect(asked).toBe(2);
});
