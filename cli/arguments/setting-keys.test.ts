import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Settings } from '../../core/protocol/settings.ts';
import { SETTING_KEYS } from './setting-keys.ts';

interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
}

const leaves = ({ properties = {} }: Node, at = ''): string[] =>
  Object.entries(properties).flatMap(([key, node]) => {
    const name = at === '' ? key : `${at}.${key}`;
    return node.properties === undefined ? [name] : leaves(node, name);
  });

test('the keys of the help and of the documentation are those of the settings, with their defaults', () => {
  const schema = z.toJSONSchema(Settings, { io: 'input' }) as Node;
  expect(SETTING_KEYS.map(([key]) => key).sort()).toEqual(leaves(schema).sort());
  const defaults = Settings.parse({});
  const page = readFileSync(join(import.meta.dirname, '../../docs/command-line.md'), 'utf8');
  for (const [key, fallback] of SETTING_KEYS) {
    const value = key.split('.').reduce<unknown>((of, step) => (of as Record<string, unknown>)[step], defaults);
    expect([key, fallback]).toEqual([
      key,
      value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const cells = page
      .split('\n')
      .find((line) => line.startsWith(`| \`${key}\` `))
      ?.split('|')
      .map((cell) => cell.trim());
    expect([key, cells?.[2]]).toEqual([key, fallback === '' ? '–' : `\`${fallback}\``]);
  }
});
