import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inRoot } from '../setup/root.mjs';
import { cites, readRulesPage, RULES, sourceOf } from './rules-page.mjs';

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
