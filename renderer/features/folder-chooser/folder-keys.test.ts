import { describe, expect, test } from 'vitest';
import { placeOfKey, placeOfTyping } from './list-keys.ts';
import { nameOfPath, pathSteps, typedPath } from './path-steps.ts';

test.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 19, 19],
  ['ArrowUp', 0, 0],
  ['PageDown', 5, 15],
  ['PageUp', 5, 0],
  ['Home', 7, 0],
  ['End', 7, 19],
  ['Tab', 7, null],
])('%s at %i of 20 → %s', (key, place, next) => {
  expect(placeOfKey(key, place, 20)).toBe(next);
});

test('an empty list has no places', () => {
  expect(placeOfKey('End', 0, 0)).toBeNull();
});

describe('typing a name', () => {
  const names = ['Apps', 'api', 'bin', 'apart'];
  test('one letter moves on, more letters narrow down, whatever their case', () => {
    expect(placeOfTyping(names, 0, 'a')).toBe(1);
    expect(placeOfTyping(names, 3, 'A')).toBe(0);
    expect(placeOfTyping(names, 1, 'apa')).toBe(3);
    expect(placeOfTyping(names, 0, 'x')).toBeNull();
  });
});

test.each([
  ['/', [['/', '/']]],
  [
    '/home/me/a b',
    [
      ['/', '/'],
      ['home', '/home'],
      ['me', '/home/me'],
      ['a b', '/home/me/a b'],
    ],
  ],
  [
    'C:\\Users\\me',
    [
      ['C:', 'C:\\'],
      ['Users', 'C:\\Users'],
      ['me', 'C:\\Users\\me'],
    ],
  ],
])('the steps of %s', (path, steps) => {
  expect(pathSteps(path).map(({ name, path: to }) => [name, to])).toEqual(steps);
});

test('what is attached is named by the end of its path', () => {
  expect(['/home/me/proj', '/home/me/proj/ ', '~', '/', 'C:\\me\\p'].map(nameOfPath)).toEqual([
    'proj',
    'proj',
    '~',
    '/',
    'p',
  ]);
});

test('a typed path that begins nowhere begins in the folder shown', () => {
  expect([' /a ', '~/a', 'a/b', 'C:\\a'].map((typed) => typedPath(typed, '/home/me'))).toEqual([
    '/a',
    '~/a',
    '/home/me/a/b',
    'C:\\a',
  ]);
});
