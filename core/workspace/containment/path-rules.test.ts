import { expect, test } from 'vitest';
import { checkPath } from './path-rules.ts';

test.each([
  ['', 'bad_path'],
  ['  ', 'bad_path'],
  ['a\0b', 'bad_path'],
  ['a/'.repeat(3000), 'name_too_long'],
  [`src/${'ä'.repeat(128)}`, 'name_too_long'],
])('A3: %j is refused before the disk is touched, as %s', (path, code) => {
  expect(checkPath(path, 'linux')?.code).toBe(code);
});

test.each(['src/nul.txt', 'COM1', 'a/aux', 'lpt¹.log', 'trailing.', 'trailing ', 'a:b/stream', 'what?.txt'])(
  'A3: %j is refused on Windows with the reason, and fine elsewhere',
  (path) => {
    expect(checkPath(path, 'win32')).toMatchObject({
      code: 'reserved_name',
      message: expect.stringContaining('Windows') as string,
    });
    expect(checkPath(path, 'linux')).toBeNull();
  },
);

test.each(['src/a.ts', '../b', 'C:\\work\\a.ts', 'console.log', 'auxiliary/nullable.ts', '.', '日本語.txt'])(
  'A3: %j is a usable name everywhere',
  (path) => {
    expect(checkPath(path, 'win32')).toBeNull();
    expect(checkPath(path, 'darwin')).toBeNull();
  },
);
