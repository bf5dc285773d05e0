import { describe, expect, test } from 'vitest';
import { durationText, retryAfter } from './retry-after.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

describe('R8: Retry-After (B12)', () => {
  test.each<[Record<string, string>, number | null]>([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': ' 1.5 ' }, 1500],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '86400' }, 86_400_000],
    [{ 'retry-after': 'Sun, 01 Mar 2026 12:00:09 GMT' }, 9000],
    [{ 'retry-after': 'Sunday, 01-Mar-26 12:00:09 GMT' }, 9000],
    [{ 'retry-after': 'Sun Mar  1 12:00:09 2026' }, 9000],
    [{ 'retry-after': 'Sun, 01 Mar 2026 11:59:00 GMT' }, null],
    [{ 'retry-after': 'Sun, 01 Mar 2026 17:00:09 GMT', date: 'Sun, 01 Mar 2026 17:00:00 GMT' }, 9000],
    [{ 'retry-after': 'Thu, 26 Feb 2026 12:00:09 GMT', date: 'Thu, 26 Feb 2026 12:00:00 GMT' }, 9000],
    [{ 'retry-after': 'Sun, 01 Mar 2026 12:00:09 GMT', date: 'yesterday' }, 9000],
    [{ 'retry-after-ms': '1500' }, 1500],
    [{ 'retry-after-ms': '1500', 'retry-after': '60' }, 1500],
    [{ 'retry-after-ms': 'soon', 'retry-after': '60' }, 60_000],
    [{ 'retry-after': '-5' }, null],
    [{ 'retry-after-ms': '-5' }, null],
    [{ 'retry-after': 'abc' }, null],
    [{ 'retry-after': '' }, null],
    [{ 'retry-after': 'Infinity' }, null],
    [{ 'retry-after': '1e9' }, null],
    [{ 'retry-after': '99999999999' }, null],
    [{ 'retry-after': '2026' }, 2_026_000],
    [{ 'retry-after': '2027-01-01' }, null],
    [{}, null],
  ])('%o → %s ms', (headers, expected) => {
    expect(retryAfter(headers, NOW)).toBe(expected);
  });

  test.each([
    ['34.5s', 34_500],
    ['0s', 0],
    ['-1s', null],
    ['34', null],
    [34, null],
  ])('a duration of %s → %s ms', (text, expected) => {
    expect(durationText(text)).toBe(expected);
  });
});
