import { describe, expect, test } from 'vitest';
import { markerIn } from './linux-processes.ts';
import { parseLinuxStat } from './linux-stat.ts';
import { parseTag, tagFor } from './linux-tag.ts';

const REST = 'S 100 200 300 34816 200 4194560 1 2 3 4 7 5 2 1 20 0 1 0 987654 1000 250 18446744073709551615';

describe('/proc texts', () => {
  test('a command with spaces and parentheses does not shift the fields', () => {
    expect(parseLinuxStat(`4242 (a) b (c) ${REST}`)).toEqual({
      pid: 4242,
      command: 'a) b (c',
      state: 'S',
      ppid: 100,
      pgid: 200,
      session: 300,
      terminal: true,
      cpuTicks: 15,
      startTicks: 987654,
      rssPages: 250,
    });
  });

  test('a text that is no stat line gives null', () => {
    expect(parseLinuxStat('')).toBeNull();
    expect(parseLinuxStat('12 (sh) S 1 2')).toBeNull();
  });

  test('the marker is found only at the start of a variable', () => {
    const needle = Buffer.from('ESPALIER_RUN=');
    expect(markerIn(Buffer.from('A=1\0ESPALIER_RUN=run_1\0B=2\0'), needle)).toBe('run_1');
    expect(markerIn(Buffer.from('ESPALIER_RUN=run_1'), needle)).toBe('run_1');
    expect(markerIn(Buffer.from('X=ESPALIER_RUN=run_1\0OLD_ESPALIER_RUN=run_2\0'), needle)).toBeNull();
    expect(markerIn(Buffer.from('X=ESPALIER_RUN=run_1\0ESPALIER_RUN=run_3\0'), needle)).toBe('run_3');
  });

  test('an unlimited lock limit is no tag, and every run has another tag', () => {
    const line = (soft: string): string =>
      `Max pending signals 1 1 signals\nMax file locks            ${soft}   unlimited            locks\n`;
    expect(parseTag(line('unlimited'))).toBeNull();
    expect(parseTag(line(String(tagFor('run_a'))))).toBe(tagFor('run_a'));
    expect(tagFor('run_a')).not.toBe(tagFor('run_b'));
    expect(Number.isSafeInteger(tagFor('run_a'))).toBe(true);
  });
});
