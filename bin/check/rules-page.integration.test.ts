import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inRoot } from '../setup/root.mjs';
import { cites, readRulesPage, RULES, rulesProblems, sourceOf } from './rules-page.mjs';

const PAGE = readRulesPage();

test('every rule is on the page once, in order, with its line', () => {
  expect(PAGE.map(({ rule }) => rule)).toEqual(RULES);
  expect(PAGE.filter(({ words }) => words.trim().length < 20)).toEqual([]);
});

test('every test file that the page lists is there and names the rule', () => {
  const wrong = PAGE.flatMap(({ rule, tests }) =>
    tests.filter((path) => !existsSync(inRoot(path)) || !cites(sourceOf(path), rule)).map((path) => `${rule}: ${path}`),
  );
  expect(wrong).toEqual([]);
});

test('a rule is named by its number alone', () => {
  expect(cites("test('T1: moves', …)", 'T1')).toBe(true);
  expect(cites("test('S3, T1, R4: …", 'T1')).toBe(true);
  expect(cites("test('T11 and XT1 and att_T1-x', …)", 'T1')).toBe(false);
});

test('a rule that is not on the page, is cited by no test, or whose tests are others is a problem', () => {
  const row = (rule: string, tests: string[]) => ({ rule, words: 'What it says.', tests });
  const files = RULES.filter((rule) => rule !== 'S4').map((rule) => ({
    path: `${rule}.test.ts`,
    source: `test('${rule}: …')`,
  }));
  const page = RULES.map((rule) => row(rule, [`${rule}.test.ts`]));
  expect(rulesProblems(page, [...files, { path: 'S4.test.ts', source: 'case 4, S4' }])).toEqual([]);
  expect(rulesProblems(page, files)).toEqual(['S4: no test cites it']);
  const without = page.filter(({ rule }) => rule !== 'D7' && rule !== 'S4');
  expect(rulesProblems([...without, row('S4', []), row('Q1', [])], files)).toEqual([
    'D7: is not on docs/rules.md',
    'S4: no test cites it',
    'Q1: is on docs/rules.md, but there is no such rule',
  ]);
  const more = [...files, { path: 'S4.test.ts', source: 'S4' }, { path: 'z.test.ts', source: 'T7' }];
  expect(rulesProblems(page, more)).toEqual(['T7: its tests are others; run node bin/check/rules-page.mjs']);
});
