import { expect, test } from 'vitest';
import { formatAge, formatDay, formatDuration, formatMoney, formatTokens } from './format.ts';

test('L5: durations are seconds below two minutes, then minutes', () => {
  expect([0.4, 41, 108, 119.9, 120, 1325, 7140, 7200, 11_520].map(formatDuration)).toEqual([
    '0s',
    '41s',
    '108s',
    '119s',
    '2m',
    '22m',
    '119m',
    '2h',
    '3h 12m',
  ]);
});

test('R5: an unknown cost is empty, never nought', () => {
  expect(formatMoney(null)).toBe('');
  expect(formatMoney(0)).toMatch(/0[.,]00/);
  expect(formatMoney(1.424)).toMatch(/1[.,]42/);
  expect(formatMoney(0.001)).toMatch(/^<.*0[.,]01/);
});

test('tokens are short: 840, 184k, 2.1M', () => {
  expect(formatTokens(840)).toBe('840');
  expect(formatTokens(184_300)).toMatch(/^184[.,]3k$/);
  expect(formatTokens(2_100_000)).toMatch(/^2[.,]1M$/);
});

test('a day of the calendar is said as the locale says it, in any time zone', () => {
  expect(formatDay('2026-11-30')).toBe(new Date(2026, 10, 30).toLocaleDateString(undefined, { dateStyle: 'medium' }));
});

test('an age is in the unit that fits', () => {
  const minute = 60_000;
  expect([0, 4 * minute, 180 * minute, 50 * 60 * minute].map((age) => formatAge(0, age))).toEqual([
    'now',
    '4m',
    '3h',
    '2d',
  ]);
});
