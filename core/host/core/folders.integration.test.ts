import { join } from 'node:path';
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
