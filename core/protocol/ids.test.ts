import { expect, test } from 'vitest';
import { ID_HEX, makeId, type IdPrefix } from './ids.ts';

test('ids have the forms of the glossary: deleg_ and 8, all others 12 hexadecimal characters', () => {
  const made = (Object.keys(ID_HEX) as IdPrefix[]).map((prefix) => makeId(prefix, (length) => 'a'.repeat(length)));
  for (const id of made) expect(id).toMatch(id.startsWith('deleg_') ? /^deleg_a{8}$/ : /^[a-z]+_a{12}$/);
  expect(made).toContain('run_aaaaaaaaaaaa');
});
