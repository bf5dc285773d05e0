import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { loginShellEnvironment } from './login-shell.ts';

const folder = mkdtempSync(join(tmpdir(), 'login-shell-'));
beforeEach(() => void mkdirSync(folder, { recursive: true }));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bare = { PATH: '/usr/bin:/bin', HOME: folder, SHELL: '/bin/sh' };

test('B03: a real login shell brings the PATH of the profile, before the bare one of the desktop', async () => {
  writeFileSync(join(folder, '.profile'), 'PATH="$HOME/tools/bin:$PATH"; export PATH\n');
  const found = await loginShellEnvironment({ environment: bare, platform: 'linux', clock: systemClock });
  const parts = found['PATH']?.split(':') ?? [];
  expect(parts[0]).toBe(`${folder}/tools/bin`);
  expect(parts).toEqual(expect.arrayContaining(['/usr/bin', '/bin']));
  expect(new Set(parts).size).toBe(parts.length);
});

test('B03: a shell that never answers is ended with what it started, and nothing changes', async () => {
  const run = async (_program: string, _args: readonly string[], _environment: object, signal: AbortSignal) =>
    new Promise<string | null>((resolve) => signal.addEventListener('abort', () => resolve(null)));
  const clock = { ...systemClock, after: (_ms: number, late: () => void) => (queueMicrotask(late), () => undefined) };
  expect(await loginShellEnvironment({ environment: bare, platform: 'darwin', clock, run })).toEqual(bare);
});

test('B03: what a profile prints besides does no harm; a shell that is not there changes nothing', async () => {
  const environment = { ...bare, PATH: '/bin', SHELL: 'fancy' };
  const run = async () => 'Welcome!\n\u001b[1mhi__espalier_path__PATH=/opt/bin:/bin\n__espalier_path__LANG=\nbye';
  const found = await loginShellEnvironment({ environment, platform: 'linux', clock: systemClock, run });
  expect(found).toEqual({ ...environment, PATH: '/opt/bin:/bin' });
  const missing = { ...bare, SHELL: join(folder, 'none') };
  expect(await loginShellEnvironment({ environment: missing, platform: 'linux', clock: systemClock })).toEqual(missing);
});

test('B03: on Windows a desktop app has the whole PATH already', async () => {
  const run = () => Promise.reject(new Error('a shell was started'));
  expect(await loginShellEnvironment({ environment: bare, platform: 'win32', clock: systemClock, run })).toBe(bare);
});
