import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ProviderKeys } from './provider-keys.ts';

let home: string;
let path: string;
const KEY = 'CANARY-key-1';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'espalier-keys-'));
  path = join(home, 'provider-keys.json');
});
afterEach(() => rmSync(home, { recursive: true }));

test('K4: a kept key counts at once and after a restart, over one of the environment; forgotten, that one counts again', () => {
  const variables: Record<string, string | undefined> = { OPENAI_API_KEY: 'from-outside' };
  const keys = new ProviderKeys(home, variables);
  keys.load();
  expect(keys.kept()).toEqual({ path, names: [], problem: null });
  expect(JSON.stringify(keys.keep('OPENAI_API_KEY', KEY))).not.toContain('CANARY');
  expect(variables).toEqual({ OPENAI_API_KEY: KEY });
  expect(statSync(path).mode & 0o777).toBe(0o600);

  const later: Record<string, string | undefined> = { OPENAI_API_KEY: 'from-outside' };
  const again = new ProviderKeys(home, later);
  again.load();
  expect(later['OPENAI_API_KEY']).toBe(KEY);
  expect(again.has('OPENAI_API_KEY')).toBe(true);
  expect(again.forget('OPENAI_API_KEY')).toMatchObject({ ok: true, value: { names: [] } });
  expect(later['OPENAI_API_KEY']).toBe('from-outside');
  expect(readFileSync(path, 'utf8')).not.toContain('CANARY');
});

test('K4: a file that others may read, or that is no file of keys, is not used and not written over, and nothing of it is told', () => {
  const variables: Record<string, string | undefined> = {};
  const keys = new ProviderKeys(home, variables);
  keys.keep('A_KEY', KEY);
  keys.give('A_KEY', null);
  chmodSync(path, 0o644);
  keys.load();
  expect(variables).toEqual({ A_KEY: undefined });
  expect(keys.kept().problem).toContain('chmod 600');
  for (const text of [`{"keys": {"A_KEY": "${KEY}"`, `{"keys": ["${KEY}"]}`]) {
    writeFileSync(path, text);
    chmodSync(path, 0o600);
    const refused = keys.keep('B_KEY', 'other-key');
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(JSON.stringify([refused, keys.kept()])).not.toContain('CANARY');
    expect(readFileSync(path, 'utf8')).toBe(text);
  }
});
