import { expect, test } from 'vitest';
import { PlainHeaders } from './plain-headers.ts';

const REAL = globalThis.Headers;

/** What both give, or that both throw. */
function alike(init: Record<string, string> | [string, string][]): void {
  const read = (make: () => Iterable<[string, string]>): unknown => {
    try {
      return [...make()];
    } catch (error) {
      return (error as Error).name;
    }
  };
  expect(read(() => new PlainHeaders(init))).toEqual(read(() => new REAL(init)));
}

test('headers read as those of the standard do: sorted, in lower case, trimmed, repeated ones joined', () => {
  alike({ 'X-Two': ' 2\t', authorization: 'Bearer k', Accept: '*/*' });
  alike([
    ['accept', 'a'],
    ['Accept', ' b '],
    ['user-agent', ''],
  ]);
});

test.each([
  ['a line end within', { a: 'x\r\ny: z' }],
  ['a NUL', { a: 'x\0' }],
  ['a character that is no byte', { a: 'k-ключ' }],
  ['a blank in a name', { 'a b': 'x' }],
  ['an empty name', { '': 'x' }],
])('%s is refused as by the standard', (_, init) => alike(init));

test('case 51: the refusal of a value does not repeat it', () => {
  expect(() => new PlainHeaders({ authorization: 'sk-secret\n\0' })).toThrow(/^(?!.*sk-secret)/);
});

test('names are found in any case; set replaces, delete removes', () => {
  const headers = new PlainHeaders({ 'User-Agent': 'a' });
  headers.set('user-AGENT', 'b');
  expect([headers.get('USER-agent'), headers.has('user-agent'), headers.get('other')]).toEqual(['b', true, null]);
  headers.delete('User-Agent');
  expect([...headers.keys(), ...headers.values()]).toEqual([]);
});

test('headers of either kind are taken for headers, and each is made from the other', () => {
  const [plain, real] = [new PlainHeaders({ a: '1' }), new REAL({ a: '1' })];
  expect([plain, real, {}, null, undefined].map((each) => each instanceof PlainHeaders)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect([...new REAL(plain as unknown as Headers)]).toEqual([...new PlainHeaders(real)]);
});
