import { expect, test } from 'vitest';
import { overridesOf } from './program-overrides.ts';

const printed = (...entries: [scope: string, key: string, value: string][]): string =>
  entries.map(([scope, key, value]) => `${scope}\0${key}\n${value}\0`).join('');

test('none: every filter is switched off, the user’s own too', () => {
  const config = printed(['global', 'filter.lfs.smudge', 'git-lfs smudge'], ['global', 'filter.lfs.required', 'true']);
  expect(overridesOf(config, 'none')).toEqual([
    ['filter.lfs.smudge', ''],
    ['filter.lfs.required', 'false'],
  ]);
});

test('own: what the user set up for the machine stays as it is', () => {
  expect(overridesOf(printed(['global', 'filter.lfs.clean', 'git-lfs clean']), 'own')).toEqual([]);
});

test('own: what a repository puts over it is replaced by the user’s own', () => {
  const config = printed(['global', 'filter.lfs.clean', 'git-lfs clean'], ['local', 'filter.lfs.clean', 'touch PWNED']);
  expect(overridesOf(config, 'own')).toEqual([['filter.lfs.clean', 'git-lfs clean']]);
});

test('own: what only a repository has is switched off, in whichever scope of it', () => {
  const config = printed(['worktree', 'filter.x.process', 'touch PWNED'], ['local', 'filter.x.required', 'true']);
  expect(overridesOf(config, 'own')).toEqual([
    ['filter.x.process', ''],
    ['filter.x.required', 'false'],
  ]);
});

test('a merge driver of a repository becomes git’s own merge of text', () => {
  expect(overridesOf(printed(['local', 'merge.a=b c.driver', 'touch\nPWNED']), 'own')).toEqual([
    ['merge.a=b c.driver', 'git merge-file --marker-size=%L %A %O %B'],
  ]);
});

test('hooks that are set up in the configuration are switched off, the user’s own too (W5)', () => {
  const printed = [
    'local',
    'hook.x.event\npost-checkout',
    'local',
    'hook.x.command\ntouch pwned',
    'global',
    'hook.mine.command\nlint',
  ];
  for (const programs of ['none', 'own'] as const) {
    expect(overridesOf(`${printed.join('\0')}\0`, programs)).toEqual([
      ['hook.x.enabled', 'false'],
      ['hook.x.command', ':'],
      ['hook.mine.enabled', 'false'],
      ['hook.mine.command', ':'],
    ]);
  }
});
