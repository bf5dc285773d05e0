import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { dataFolder } from './data-folder.ts';
import { userAgentFolders } from '../../workspace/agents/agent-folders.ts';
import { userSkillFolders } from '../../workspace/skills/skill-folders.ts';
import { homeFolder } from '../../kit/home-folder.ts';
import { openLog } from './log-file.ts';
import { packageRoot, packageVersion } from './package-root.ts';

test('the data folder is the one named, else the place of the platform', () => {
  expect(dataFolder({ ESPALIER_HOME: '/data' })).toBe('/data');
  expect(dataFolder({ ESPALIER_HOME: '', XDG_DATA_HOME: '/xdg' }, 'linux')).toBe('/xdg/espalier');
  expect(dataFolder({ XDG_DATA_HOME: 'relative' }, 'linux')).toBe(join(homedir(), '.local/share/espalier'));
  expect(dataFolder({}, 'darwin')).toBe(join(homedir(), 'Library/Application Support/Espalier'));
  expect(dataFolder({ LOCALAPPDATA: '/local' }, 'win32')).toBe(join('/local', 'Espalier'));
});

test('A4: a home folder is never where a command was typed', () => {
  expect(homeFolder({ HOME: '/me', USERPROFILE: '/other' })).toBe('/me');
  for (const HOME of ['', '.', 'relative']) {
    expect(isAbsolute(homeFolder({ HOME }))).toBe(true);
    expect(
      [...userAgentFolders('/data', { HOME }), ...userSkillFolders('/data', { HOME })].filter(
        (path) => !isAbsolute(path),
      ),
    ).toEqual([]);
  }
  vi.stubEnv('HOME', '');
  expect(isAbsolute(dataFolder({}, 'linux'))).toBe(true);
  vi.unstubAllEnvs();
});

test('a log that can have no file is none: whoever opens the folder says what is wrong with it', () => {
  openLog('/dev/null').error({}, 'storage trouble');
});

test('the package is found from any folder in it', () => {
  const root = packageRoot(import.meta.dirname);
  expect(packageVersion(root)).toMatch(/^\d+\.\d+\.\d+/);
  expect(() => packageRoot('/')).toThrow('no package above');
});

// Where there is no file that takes nothing, this shows nothing.
test('B23: a log that the disk does not take ends nothing', () => {
  const home = mkdtempSync(join(tmpdir(), 'log-'));
  mkdirSync(join(home, 'logs'));
  symlinkSync('/dev/full', join(home, 'logs', 'core.log'));
  const log = openLog(home);
  for (let n = 0; n < 100; n += 1) log.error({ n }, 'storage trouble');
  rmSync(home, { recursive: true });
});
