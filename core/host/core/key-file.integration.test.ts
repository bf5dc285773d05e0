import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeyFile } from './key-file.ts';

let home: string;
let path: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'espalier-keys-'));
  path = join(home, 'keys.json');
});

afterEach(() => rmSync(home, { recursive: true }));

test('a key is bound, taken away and given back to its default; the file is private and only holds what was bound', () => {
  const file = new KeyFile(home);
  expect(file.read()).toEqual({ path, keys: {}, problem: null });
  expect(file.set({ command: 'palette', chord: 'mod+shift+p' })).toMatchObject({ ok: true });
  expect(file.set({ command: 'inbox', chord: null })).toMatchObject({ ok: true });
  expect(file.set({ command: 'palette' })).toMatchObject({ ok: true, value: { keys: { inbox: null } } });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ version: 1, keys: { inbox: null } });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('what an editor wrote counts at the next look; a broken file is named, changes nothing and is not written over', () => {
  const file = new KeyFile(home);
  writeFileSync(path, '{"keys": {"find": "f3"}}');
  expect(file.read().keys).toEqual({ find: 'f3' });
  for (const text of ['{', '{"keys": {"find": "Ctrl F"}}', '{"version": 2}', '[]']) {
    writeFileSync(path, text);
    expect(file.read()).toMatchObject({ keys: {}, problem: expect.stringContaining('keys.json') as string });
    expect(file.set({ command: 'find', chord: 'f3' })).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(readFileSync(path, 'utf8')).toBe(text);
  }
});

test('D7: a link in the place of the part file is not written through', () => {
  const outside = join(home, 'outside');
  writeFileSync(outside, 'mine');
  symlinkSync(outside, `${path}.${process.pid}.tmp`);
  expect(new KeyFile(home).set({ command: 'find', chord: 'f3' }).ok).toBe(true);
  expect(readFileSync(outside, 'utf8')).toBe('mine');
});
