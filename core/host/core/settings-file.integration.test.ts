import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Settings } from '../../protocol/settings.ts';
import { SettingsFile } from './settings-file.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'espalier-settings-'));
});

afterEach(() => rmSync(home, { recursive: true }));

const read = (): string => readFileSync(join(home, 'settings.json'), 'utf8');

function open(text: string): SettingsFile {
  writeFileSync(join(home, 'settings.json'), text);
  return new SettingsFile(home);
}

test('D6: a default is never written down, so lifting one reaches everybody who did not set the value, and nobody who did', () => {
  const file = open(JSON.stringify({ version: 1, limits: { concurrency: 10 }, later: { of: 'another build' } }));
  expect(file.load().ok).toBe(true);
  expect(file.set('retention.fileDays', 7).ok).toBe(true);
  // What equals a default of today but was set by the user is as much theirs as anything else.
  expect(JSON.parse(read())).toEqual({
    version: 1,
    limits: { concurrency: 10 },
    later: { of: 'another build' },
    retention: { fileDays: 7 },
  });
  expect(file.set('retention.fileDays', null).ok).toBe(true);
  expect(file.value.retention).toEqual(Settings.parse({}).retention);
  expect(JSON.parse(read())).toMatchObject({ retention: {} });
  expect(statSync(join(home, 'settings.json')).mode & 0o777).toBe(0o600);
});

test('D6: a file without a bound, or that is none, is refused in words and not touched', () => {
  const large = open(`{"version":1,"filler":"${'x'.repeat(4 * 2 ** 20)}"}`);
  expect(large.load()).toMatchObject({ ok: false, error: { message: expect.stringContaining('4 MiB') as string } });
  expect(read().length).toBeGreaterThan(4 * 2 ** 20);
  rmSync(join(home, 'settings.json'));
  symlinkSync('/dev/zero', join(home, 'settings.json'));
  expect(new SettingsFile(home).load()).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
});

test('D6: what the file sets is told by name alone, so that a default and a value of the user can be told apart', () => {
  const file = open(JSON.stringify({ version: 1, limits: { concurrency: 10 }, retention: {}, later: { of: 1 } }));
  file.load();
  expect(file.written()).toEqual({
    path: join(home, 'settings.json'),
    keys: ['version', 'limits.concurrency', 'later.of'],
    unknown: ['later'],
  });
});

test('D6: settings of a newer version are refused in words that say what to do, and not touched', () => {
  const text = JSON.stringify({ version: 2, limits: 'in another form' });
  const file = open(text);
  const loaded = file.load();
  expect(loaded).toMatchObject({ ok: false, error: { message: expect.stringContaining('newer Espalier') as string } });
  expect(read()).toBe(text);
});

test('D6: settings that are no JSON, or hold what does not fit, are refused with the place named, and not touched', () => {
  for (const text of [
    '{"version": 1,',
    '{"version": 1, "limits": {"concurrency": -1}}',
    '{"retention": {"fileDays": "long"}}',
  ]) {
    const loaded = open(text).load();
    expect(loaded.ok ? '' : loaded.error.message).toMatch(/settings\.json/);
    expect(read()).toBe(text);
  }
});

test('a key that there is not is refused with the one that was meant, and nothing is written; one that the file has is kept, changed and removed', () => {
  const file = open(JSON.stringify({ later: 1 }));
  expect(file.load().ok).toBe(true);
  const said = (key: string, value: unknown): string => {
    const set = file.set(key, value);
    return set.ok ? 'set' : set.error.message.replace(`${file.path}: `, '');
  };
  const list = '`espalier config --help` lists all.';
  expect([
    said('defaultmodel', 'p/m'),
    said('xyzzy.of', 1),
    said('constructor', 1),
    said('defaultModel', 'nonsense'),
    said('limits.concurency', 4),
    said('limits.concurrency', 'four'),
    said('limits.concurrency', 0),
    said('limits.concurrency', 1.5),
    said('permission', 'never'),
    said('desktop', 'no'),
    said('providers.p', { kind: 'openai', basUrl: 'http://x' }),
  ]).toEqual([
    `There is no setting "defaultmodel". Did you mean "defaultModel"? ${list}`,
    `There is no setting "xyzzy". ${list}`,
    `There is no setting "constructor". ${list}`,
    'defaultModel is written "<provider>/<model>", and "nonsense" is not.',
    'There is no setting "concurency" in limits. Did you mean "concurrency"?',
    'limits.concurrency is to be a number.',
    'limits.concurrency is to be at least 1.',
    'limits.concurrency is to be a whole number.',
    'permission is to be "plan" or "ask" or "edit" or "auto".',
    'desktop is to be an object.',
    'There is no setting "basUrl" in providers.p. Did you mean "baseUrl"?',
  ]);
  expect(read()).toBe('{"later":1}');
  expect([said('later', 2), said('defaultModel', 'p/m')]).toEqual(['set', 'set']);
  expect(JSON.parse(read())).toEqual({ version: 1, later: 2, defaultModel: 'p/m' });
  expect([said('later', null), said('defaultModel', null), said('later', 3)]).toEqual([
    'set',
    'set',
    `There is no setting "later". ${list}`,
  ]);
});
