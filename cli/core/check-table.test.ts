import { expect, test } from 'vitest';
import { checkTable } from './check-table.ts';

test('only what is here and well has a check: absent –, without effect ⚠, faulty ✗', () => {
  const text = checkTable([
    { name: 'core', ok: true, detail: 'well' },
    { name: 'agent', ok: true, note: 'absent', detail: 'missing' },
    { name: 'settings', ok: true, note: 'unheeded', detail: 'defaultmodel' },
    { name: 'PATH', ok: false, detail: 'empty' },
  ]);
  expect(text.split('\n').map((line) => line.replace(/ +/g, ' ').trim())).toEqual([
    '✓ core well',
    '– agent missing',
    '⚠ settings defaultmodel',
    '✗ PATH empty',
    '',
  ]);
});
