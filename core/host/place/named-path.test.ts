import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { homeFolder } from '../../kit/home-folder.ts';
import { namedFolder, whyNot } from './named-path.ts';

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'named-')));
  mkdirSync(join(root, 'project', 'src'), { recursive: true });
  writeFileSync(join(root, 'project', 'batch.json'), '[]');
  symlinkSync(join(root, 'project'), join(root, 'link'));
  symlinkSync(join(root, 'circle'), join(root, 'circle'));
});
afterAll(() => rmSync(root, { recursive: true }));

test('a folder is answered with its links resolved', () => {
  expect(namedFolder(join(root, 'link', 'src'))).toEqual({ ok: true, value: join(root, 'project', 'src') });
});

test.each([
  ['porject', 'The folder ROOT/porject does not exist. Did you mean ROOT/project?'],
  ['porject/src', 'The folder ROOT/porject/src does not exist. Did you mean ROOT/project/src?'],
  ['porject/nowhere', 'The folder ROOT/porject/nowhere does not exist. Did you mean ROOT/project?'],
  ['quite/other', 'The folder ROOT/quite/other does not exist. The nearest folder that there is: ROOT.'],
  // A file of a similar name is no folder.
  [
    'project/batch.jso',
    'The folder ROOT/project/batch.jso does not exist. The nearest folder that there is: ROOT/project.',
  ],
  ['project/batch.json', 'ROOT/project/batch.json is a file. The folder it is in is ROOT/project.'],
  ['project/batch.json/x', 'The folder ROOT/project/batch.json/x does not exist: ROOT/project/batch.json is a file.'],
  ['circle', 'The folder ROOT/circle leads in a circle of links.'],
  ['~', `The folder ROOT/~ does not exist. Did you mean ${homeFolder({})}?`],
])('%s → why no work can be done there, and what was probably meant', (path, why) => {
  const told = why.replaceAll('ROOT', root);
  expect(namedFolder(join(root, path))).toEqual({ ok: false, error: told });
});

test('a folder that may not be read or entered is refused with what to do; so is what is no name', () => {
  const path = join(root, 'project');
  expect(namedFolder(path, () => false)).toMatchObject({
    error: `You may not read the folder ${path}. Give yourself the right to read and enter it, or name another.`,
  });
  for (const name of ['', ' ', `${path}\0`]) expect(namedFolder(name)).toMatchObject({ error: 'Name a folder.' });
});

test.each([
  ['ENOENT', 'project/bacth.json', 'does not exist. Did you mean ROOT/project/batch.json?'],
  ['ENOENT', 'project/other.md', 'does not exist.'],
  ['ENOENT', 'project/sr', 'does not exist.'],
  ['EISDIR', 'project/src', 'is a folder.'],
  ['EACCES', 'project', 'may not be opened by you.'],
  ['ENAMETOOLONG', 'x', 'has a name that is too long.'],
  ['EIO', 'project', 'cannot be opened (EIO).'],
])('a file, %s, %s → %s', (code, path, why) => {
  const told = whyNot(join(root, path), Object.assign(new Error(code), { code }), 'file');
  expect(told).toContain(why.replaceAll('ROOT', root));
  expect(told.includes('Did you mean')).toBe(why.includes('Did you mean'));
});
