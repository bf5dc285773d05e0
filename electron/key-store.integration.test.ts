import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { KeyStore } from './key-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const KEY = 'sk-very-secret-value';

const cipher = (
  available = true,
  backend: ReturnType<Electron.SafeStorage['getSelectedStorageBackend']> = 'gnome_libsecret',
) => ({
  isEncryptionAvailable: () => available,
  encryptString: (text: string) => Buffer.from(text).map((byte) => byte ^ 0x5a) as Buffer,
  decryptString: (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ 0x5a)).toString(),
  getSelectedStorageBackend: () => backend,
});

test('a key is kept encrypted, given to the core at once and after a restart, and never answered', () => {
  const file = join(folder, 'a', 'keys.json');
  const environment: Record<string, string | undefined> = { OPENAI_API_KEY: 'from-outside' };
  const store = new KeyStore(file, cipher(), 'linux', environment);
  const kept = store.answer({ type: 'keep', name: 'OPENAI_API_KEY', value: KEY });
  expect(kept).toMatchObject({ keychain: true, names: ['OPENAI_API_KEY'], error: null });
  expect(environment['OPENAI_API_KEY']).toBe(KEY);
  expect(JSON.stringify(kept) + readFileSync(file, 'utf8')).not.toContain(KEY);
  expect(statSync(file).mode & 0o077).toBe(0);
  const later: Record<string, string | undefined> = {};
  new KeyStore(file, cipher(), 'linux', later).load();
  expect(later).toEqual({ OPENAI_API_KEY: KEY });
  const told: unknown[] = [];
  store.tellCore((...given) => told.push(given));
  store.answer({ type: 'keep', name: 'NEW_KEY', value: KEY });
  store.answer({ type: 'forget', name: 'NEW_KEY' });
  expect(told).toEqual([
    ['OPENAI_API_KEY', KEY, 'from-outside'],
    ['NEW_KEY', KEY, undefined],
    ['NEW_KEY', null, undefined],
  ]);
  expect(store.answer({ type: 'forget', name: 'OPENAI_API_KEY' }).names).toEqual([]);
  expect(environment['OPENAI_API_KEY']).toBe('from-outside');
  expect(readFileSync(file, 'utf8')).toBe('{}');
});

test.each([
  ['no keyring on Linux', cipher(true, 'basic_text'), 'linux' as const],
  ['a keychain that is locked', cipher(false), 'darwin' as const],
])('%s: nothing is written, and the answer says so', (name, closed, platform) => {
  const file = join(folder, name, 'keys.json');
  const environment: Record<string, string | undefined> = {};
  const answer = new KeyStore(file, closed, platform, environment).answer({ type: 'keep', name: 'A_KEY', value: KEY });
  expect(answer).toMatchObject({ keychain: false, names: [] });
  expect(answer.error).toContain('Keys are not kept');
  expect(() => statSync(file)).toThrow();
  expect(environment).toEqual({});
});

test('what is no key is refused', () => {
  const store = new KeyStore(join(folder, 'b.json'), cipher(), 'darwin', {});
  for (const request of [
    null,
    'x',
    { type: 'keep', name: '../x', value: KEY },
    { type: 'keep', name: 'A_KEY', value: '' },
    ...['PATH', 'LD_PRELOAD', 'NODE_OPTIONS', 'ESPALIER_HOME'].map((name) => ({ type: 'keep', name, value: KEY })),
  ])
    expect(store.answer(request).error).toBe('That is not a key.');
});

test('while another process hosts the core, the answer says that it does not get the keys', () => {
  const store = new KeyStore(join(folder, 'c.json'), cipher(), 'darwin', {});
  store.tellCore(null);
  expect(store.answer({ type: 'list' }).detail).toContain('The core runs in another process');
});
