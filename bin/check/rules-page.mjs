/**
 * `docs/rules.md`: every rule of the engine with the tests that cite it. `node bin/check/rules-page.mjs` fills the last column anew from
 * the tests that are there; the words are written by hand.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from '../setup/root.mjs';

const PAGE = 'docs/rules.md';
const TESTS = ['{bin,cli,core,electron,migrations,renderer}/**/*.test.{ts,tsx}', 'e2e/**/*.spec.ts'];
// Rules are told apart in the page's own test, which would else seem to test them all.
const NOT = 'bin/check/rules-page.integration.test.ts';

/** How many rules each chapter has. */
const CHAPTERS = { S: 8, L: 5, T: 7, R: 11, C: 5, P: 8, K: 6, A: 4, W: 5, D: 7 };

/** All rule numbers, in the order of the page. */
export const RULES = Object.entries(CHAPTERS).flatMap(([chapter, count]) =>
  Array.from({ length: count }, (_, at) => `${chapter}${at + 1}`),
);

/**
 * Whether a test file names the rule.
 * @param {string} source
 * @param {string} rule
 */
export function cites(source, rule) {
  return new RegExp(`(?<![\\w-])${rule}(?![\\w-])`).test(source);
}

/**
 * The rows of the page.
 * @returns {{ rule: string, words: string, tests: string[] }[]}
 */
export function readRulesPage() {
  return readFileSync(inRoot(PAGE), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, rule, words = '', tests = ''] = line.match(/^\| \*\*([A-Z]\d+)\*\* +\| (.*?) +\|(.*)\|$/) ?? [];
      if (rule === undefined) return [];
      return [{ rule, words, tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path) }];
    });
}

/** @param {string} path */
export const sourceOf = (path) => readFileSync(inRoot(path), 'utf8');

/** Files of tests, relative to the root. */
function testFiles() {
  return globSync(TESTS, { cwd: inRoot('.') })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('node_modules/') && path !== NOT)
    .sort();
}

function fill() {
  const files = testFiles().map((path) => ({ path, source: sourceOf(path) }));
  const page = sourceOf(PAGE).replaceAll(/^\| \*\*([A-Z]\d+)\*\* +\| (.*?) +\|.*\|$/gm, (_, rule, words) => {
    const tests = files.filter(({ source }) => cites(source, rule)).map(({ path }) => `\`${path}\``);
    return `| **${rule}** | ${words} | ${tests.length === 0 ? '–' : tests.join(' ')} |`;
  });
  writeFileSync(inRoot(PAGE), page);
}

if (process.argv[1] === import.meta.filename) fill();
