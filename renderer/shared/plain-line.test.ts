import { expect, test } from 'vitest';
import { plainLine } from './plain-line.ts';

test.each([
  ['`src/money.js` is there', 'src/money.js is there'],
  ['## Found **two** bugs\n\nmore', 'Found two bugs'],
  ['- [ADR 7](docs/7.md) says so', 'ADR 7 says so'],
  ['1. ``a`b`` and __c__', 'a`b and c'],
  ['5 * 3 * 2 is **not', '5 * 3 * 2 is **not'],
  ['snake_case_name stays', 'snake_case_name stays'],
  ['\n\n  > quoted  ', 'quoted'],
  ['', ''],
])('plain words of %j → %j', (text, plain) => {
  expect(plainLine(text)).toBe(plain);
});
