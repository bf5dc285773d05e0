import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExitReason, FailureReason } from '../../protocol/outcome.ts';
import { adviceFor, type Failure } from './advice.ts';
import { failureLine, type FailedRun } from './failure-line.ts';
import { failureText } from './failure-text.ts';
import { cutGraphemes, shorterThan } from './graphemes.ts';

const count = (text: string): number => [...new Intl.Segmenter('en').segment(text)].length;

const run: FailedRun = { label: null, goal: 'Fix the tests', outcome: 'failed', failure_reason: null, error: 'boom' };

describe('failure text (L5)', () => {
  test('case 11: a Python traceback gives its last line', () => {
    const text = 'log line\nTraceback (most recent call last):\n  File "a.py", line 1\n    f()\nValueError: bad\n\n';
    expect(failureText(text)).toBe('ValueError: bad');
  });

  test.each([
    ['V8', 'TypeError: x is not a function\n    at f (/a/b.js:1:2)\n    at async Promise.all (index 0)'],
    ['V8, frames first', '    at f (/a/b.js:1:2)\n    at file:///x.mjs:3:4\nTypeError: x is not a function'],
    ['Node', '/a/b.js:10\n    x();\n    ^\n\nTypeError: x is not a function\n    at f (/a/b.js:1:2)\n\nNode.js v24'],
    ['Firefox', 'f@http://h/a.js:1:2\nTypeError: x is not a function'],
  ])('L5: a JavaScript stack (%s) gives its first line that is not a frame', (_, text) => {
    expect(failureText(text)).toBe('TypeError: x is not a function');
  });

  test('L5: a Java stack gives its first line that is not a frame', () => {
    const text = '\tat a.B.c(B.java:1)\n\t... 12 more\njava.io.IOException: no\n\tat a.B.d(B.java:2)\nCaused by: x';
    expect(failureText(text)).toBe('java.io.IOException: no');
  });

  test('L5: prose that begins with "at" is no frame', () => {
    expect(failureText('at the moment nothing works\nsecond line')).toBe('at the moment nothing works');
  });

  test('L5: anything else gives its first non-empty line, white space collapsed', () => {
    expect(failureText('\n  \r\n  exit 1:\t no   such file \nmore')).toBe('exit 1: no such file');
  });

  test('L5: terminal sequences and control characters are taken out', () => {
    expect(failureText('\u001b[31mred\u001b[0m \u0007\u202Eevil')).toBe('red evil');
  });

  test('L5: a huge traceback is read at both ends only', () => {
    const text = `Traceback (most recent call last):\n${'  File "x"\n'.repeat(2_000_000)}KeyError: 1`;
    expect(failureText(text)).toBe('KeyError: 1');
  });

  test('L5: any text at all gives one line', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/[\n\r\0]/.test(failureText(text))));
  });
});

describe('failure line (L5)', () => {
  test('case 11: 500 characters → 200 ending with …, a goal of 80 → 60', () => {
    const [goal = '', text = ''] =
      failureLine({ ...run, goal: 'g'.repeat(80), error: 'e'.repeat(500) })?.split(' — ') ?? [];
    expect(text).toBe(`${'e'.repeat(199)}…`);
    expect(goal).toBe(`${'g'.repeat(59)}…`);
  });

  test('case 11: line ends in goal and error are flattened', () => {
    expect(failureLine({ ...run, goal: 'Fix\nthe  tests', error: 'a\tb' })).toBe('Fix the tests — a b');
  });

  test('case 11: success and a stop have no failure line', () => {
    expect(failureLine({ ...run, outcome: 'completed' })).toBeNull();
    expect(failureLine({ ...run, outcome: 'stopped' })).toBeNull();
  });

  test('L5: a deadline and a lost run have one, also without text', () => {
    expect(failureLine({ ...run, outcome: 'timed_out', error: null })).toBe('Fix the tests — the deadline passed');
    expect(failureLine({ ...run, outcome: 'lost', error: '' })).toContain('nobody can prove');
  });

  test('L5: the label comes before the goal, the advice after the text', () => {
    expect(failureLine({ ...run, label: 'tests', advice: 'sign in' })).toBe('tests — boom (sign in)');
  });
});

describe('characters are graphemes (L5)', () => {
  test('a family of emoji counts once and is never cut in two', () => {
    const family = '👨‍👩‍👧';
    expect(cutGraphemes(family.repeat(5), 5)).toBe(family.repeat(5));
    expect(cutGraphemes(family.repeat(6), 5)).toBe(`${family.repeat(4)}…`);
  });

  test('piled-up marks do not make a line of unbounded size', () => {
    expect(cutGraphemes(`a${'\u0301'.repeat(1_000_000)}`, 60).length).toBeLessThan(2_100);
  });

  test('a cut text has at most so many graphemes and begins as the whole does', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b ', 'é', '👩‍🚒', 'e\u0301', '漢', '🇩🇪', '\u0301') });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 12 }), (value, max) => {
        const cut = cutGraphemes(value, max);
        expect(count(cut)).toBeLessThanOrEqual(max);
        if (count(value) <= max) expect(cut).toBe(value);
        else expect(value.startsWith(cut.slice(0, -1))).toBe(true);
        expect(shorterThan(value, max)).toBe(count(value) < max);
      }),
    );
  });
});

describe('advice (L5)', () => {
  const failure: Failure = {
    failure_reason: null,
    exit_reason: 'error',
    agent: 'general',
    model: 'acme/large',
    retry_at: null,
  };

  test('L5: auth → sign in, with the name of the provider', () => {
    expect(adviceFor({ ...failure, failure_reason: 'auth' })).toBe('sign in or set the key of acme');
    expect(adviceFor({ ...failure, failure_reason: 'auth', model: null })).toBe('sign in or set the key of general');
  });

  test('L5: a limit → raise it', () => {
    expect(adviceFor({ ...failure, exit_reason: 'max_turns', failure_reason: 'empty_answer' })).toBe(
      'raise limits.max_turns',
    );
  });

  test('L5: a planned retry comes before all else, as local HH:MM', () => {
    const retry_at = new Date(2026, 1, 3, 9, 5).getTime();
    expect(adviceFor({ ...failure, failure_reason: 'auth', retry_at })).toBe('retried at 09:05');
  });

  test('L5: what we do not know how to mend has no advice', () => {
    expect(adviceFor({ ...failure, failure_reason: 'exit_status' })).toBeNull();
    expect(adviceFor(failure)).toBeNull();
  });

  test('L5: every reason is either advised in words or not at all', () => {
    for (const failure_reason of FailureReason.options) {
      for (const exit_reason of ExitReason.options) {
        const advice = adviceFor({ ...failure, failure_reason, exit_reason });
        expect(advice === null || /^[a-z]/.test(advice)).toBe(true);
      }
    }
  });
});
