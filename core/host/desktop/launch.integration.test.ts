import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { afterCrash } from './crash.ts';
import { diagnosticsText } from './diagnostics.ts';
import { readArguments, readLink } from './launch.ts';
import { commandFor } from './open-request.ts';

const folder = mkdtempSync(join(tmpdir(), 'launch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(['run/run_1a', 'set/del_2', 'conversation/conv-3', 'run/run_1a/'])(
  'espalier://%s leads to that node',
  (path) => {
    expect(readLink(`espalier://${path}`)).toEqual({ type: 'node', id: path.split('/')[1] });
  },
);

test.each([
  'espalier://run/',
  'espalier://run/a/b',
  'espalier://run/..%2f',
  'espalier://run/a?x=1',
  'espalier://dispatch/x',
  'espalier://u@run/a',
  'https://run/a',
  'espalier:run',
  '',
])('a link that is none of ours leads nowhere: %s', (url) => {
  expect(readLink(url)).toBeNull();
});

test('a command line names folders, files and links; switches are none of them', () => {
  const argv = ['espalier', '--safe-mode', 'work', '/tmp/a.espalier', 'espalier://run/r1', 'espalier://evil', '--', ''];
  expect(readArguments(argv, 1, '/home/me')).toEqual([
    { type: 'path', path: '/home/me/work' },
    { type: 'path', path: '/tmp/a.espalier' },
    { type: 'node', id: 'r1' },
  ]);
});

const unknown = { show: () => Promise.reject(new Error('not found')) };
const nobody = { runs: unknown, sets: unknown, conversations: unknown } as unknown as Parameters<typeof commandFor>[1];

test('a folder becomes a project, a file a batch, and what cannot be read says why', async () => {
  const file = join(folder, 'harvest.espalier');
  writeFileSync(file, 'version: 1\n');
  expect(await commandFor({ type: 'path', path: folder }, nobody)).toEqual({ type: 'open_project', path: folder });
  expect(await commandFor({ type: 'path', path: file }, nobody)).toEqual({
    type: 'open_batch',
    name: 'harvest.espalier',
    text: 'version: 1\n',
  });
  const gone = await commandFor({ type: 'path', path: join(folder, 'none') }, nobody);
  expect(gone).toMatchObject({ type: 'tell', title: 'none was not opened' });
  expect(await commandFor({ type: 'path', path: '/dev/null' }, nobody)).toMatchObject({ type: 'tell' });
});

test('a link opens exactly its node, of whichever kind; one to nothing says so', async () => {
  const set = { conversation_id: 'c', delegation_id: 's' };
  const knows = { ...nobody, sets: { show: () => Promise.resolve({ set }) } } as unknown as typeof nobody;
  expect(await commandFor({ type: 'node', id: 's' }, knows)).toEqual({ type: 'open_node', ...set, run_id: null });
  expect(await commandFor({ type: 'node', id: 's' }, nobody)).toMatchObject({
    type: 'tell',
    title: 'The link leads to nothing',
  });
});

test('a page that crashed is loaded again, and after the third time in a minute the person is asked', () => {
  expect(afterCrash('page', [0], 0)).toBe('reload');
  expect(afterCrash('page', [0, 1, 2], 2)).toBe('ask');
  expect(afterCrash('page', [0, 1, 70_000], 70_000)).toBe('reload');
  expect(afterCrash('gpu', [0], 0)).toBe('nothing');
  expect(afterCrash('gpu', [0, 1, 2], 2)).toBe('ask');
});

test('diagnostics say what is needed, without the name of the person', () => {
  const text = diagnosticsText(
    {
      ...{ version: '1.2.3', versions: { node: '24', electron: '45' }, platform: 'linux', arch: 'x64', osVersion: '6' },
      ...{ home: '/home/ann/.espalier', safeMode: true, keychain: 'none', counts: { Projects: 2 }, isOurs: false },
      app: { at_work: 1, places: 10, storage_banner: 'disk full' },
      log: `${'old\n'.repeat(100)}/home/ann/x\n`,
    },
    '/home/ann',
  );
  expect(text).toContain('Core: hosted by another process, 1 of 10 places at work');
  expect(text).toContain('Espalier 1.2.3 (safe mode)');
  expect(text).toContain('Projects: 2');
  expect(text).not.toMatch(/ann/);
  expect(text.split('\n').filter((line) => line === 'old')).toHaveLength(59);
});
