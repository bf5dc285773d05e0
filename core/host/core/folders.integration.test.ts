import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { homeFolder } from '../../kit/home-folder.ts';
import { listFolder } from './folders.ts';

test('a path that begins with ~ is one in the home folder, as in a shell; any other ~ is a name', async () => {
  const home = await listFolder(null, null);
  expect(home.ok).toBe(true);
  expect(await listFolder('~', null)).toEqual(home);
  expect(await listFolder('~/', null)).toEqual(home);
  const absent = join(homeFolder({}), 'no such folder');
  expect(await listFolder('~/no such folder', null)).toMatchObject({
    error: { message: expect.stringMatching(`^${absent} does not exist[.]`) as string },
  });
  expect(await listFolder('/~somebody', null)).toMatchObject({ error: { message: '/~somebody does not exist.' } });
});

test('what cannot be listed names the folder to go on from, if one is known', async () => {
  const here = import.meta.dirname;
  const pathsOf = async (path: string): Promise<unknown> => {
    const listed = await listFolder(path, null);
    return listed.ok ? 'listed' : listed.error.paths;
  };
  expect(await pathsOf(`${dirname(here)}/coer`)).toEqual([here]);
  expect(await pathsOf(join(here, 'quite', 'other'))).toEqual([here]);
  expect(await pathsOf(import.meta.filename)).toEqual([here]);
  expect(await pathsOf(join(import.meta.filename, 'below'))).toEqual([here]);
  expect(await pathsOf('/~somebody')).toBeUndefined();
  expect(await listFolder(import.meta.filename, null)).toMatchObject({
    error: { message: `${import.meta.filename} is a file. The folder it is in is ${here}.` },
  });
});
