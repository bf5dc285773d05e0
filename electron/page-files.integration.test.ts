import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CONTENT_POLICY } from './content-policy.ts';
import { servePageFile } from './page-files.ts';

let folder: string;
let root: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-page-'));
  root = join(folder, 'renderer');
  mkdirSync(join(root, 'assets'), { recursive: true });
  writeFileSync(join(root, 'index.html'), '<!doctype html>');
  writeFileSync(join(root, 'assets', 'a b.js'), 'export {};');
  writeFileSync(join(folder, 'secret'), 'secret');
  symlinkSync(join(folder, 'secret'), join(root, 'link'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const get = (url: string, method = 'GET'): Promise<Response> => servePageFile(root, { url, method });

test('the page is served with its policy', async () => {
  const answer = await get('app://espalier/');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('content-security-policy')).toBe(CONTENT_POLICY);
  expect(await answer.text()).toBe('<!doctype html>');
});

test('a file with a space in its name is served with its type', async () => {
  const answer = await get('app://espalier/assets/a%20b.js?v=1');
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(await answer.text()).toBe('export {};');
});

test.each([
  'app://espalier/../secret',
  'app://espalier/..%2fsecret',
  'app://espalier/%2e%2e/secret',
  'app://espalier/assets/..%2f..%2fsecret',
  'app://espalier/link',
  'app://espalier/assets',
  'app://espalier/none.js',
  'app://espalier/%00',
  'app://espalier/%ff',
  'app://other/index.html',
])('%s is not found', async (url) => {
  expect((await get(url)).status).toBe(404);
});

test('nothing can be written', async () => {
  expect((await get('app://espalier/', 'POST')).status).toBe(405);
  const head = await get('app://espalier/', 'HEAD');
  expect([head.status, await head.text()]).toEqual([200, '']);
});
