/**
 * `docs/rules.md`: every rule of the engine with the tests that cite it. `node bin/check/rules-page.mjs` fills the last column anew from
 * the tests that are there; the words are written by hand. With `--check`, as a step of `npm run check`, it changes nothing and fails when a
 * rule is not on the page, has no test that cites it, or the column is not what the tests say.
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
 * @typedef {{ rule: string, words: string, tests: string[] }} Row
 * @typedef {{ path: string, source: string }} TestFile
 */

/**
 * The rows of the page.
 * @param {string} [page]
 * @returns {Row[]}
 */
export function readRulesPage(page = sourceOf(PAGE)) {
  return page.split('\n').flatMap((line) => {
    const [, rule, words = '', tests = ''] = line.match(/^\| \*\*([A-Z]\d+)\*\* +\| (.*?) +\|(.*)\|$/) ?? [];
    if (rule === undefined) return [];
    return [{ rule, words, tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path) }];
  });
}

/**
 * What is wrong with the page, one line each; empty when nothing is.
 * @param {readonly Row[]} rows
 * @param {readonly TestFile[]} files
 * @returns {string[]}
 */
export function rulesProblems(rows, files) {
  const problems = RULES.filter((rule) => !rows.some((row) => row.rule === rule)).map(
    (rule) => `${rule}: is not on ${PAGE}`,
  );
  for (const { rule, tests } of rows) {
    const citing = testsOf(rule, files);
    if (!RULES.includes(rule)) problems.push(`${rule}: is on ${PAGE}, but there is no such rule`);
    else if (citing.length === 0) problems.push(`${rule}: no test cites it`);
    else if (citing.join() !== tests.join()) problems.push(`${rule}: its tests are others; ${REFRESH}`);
  }
  return problems;
}

const REFRESH = 'run node bin/check/rules-page.mjs';

/**
 * @param {string} rule
 * @param {readonly TestFile[]} files
 */
function testsOf(rule, files) {
  return files.filter(({ source }) => cites(source, rule)).map(({ path }) => path);
}

/** @param {string} path */
export const sourceOf = (path) => readFileSync(inRoot(path), 'utf8');

/**
 * All tests that may cite a rule, with paths relative to the root.
 * @returns {TestFile[]}
 */
function readTests() {
  return globSync(TESTS, { cwd: inRoot('.') })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('node_modules/') && path !== NOT)
    .sort()
    .map((path) => ({ path, source: sourceOf(path) }));
}

function fill() {
  const files = readTests();
  const page = sourceOf(PAGE).replaceAll(/^\| \*\*([A-Z]\d+)\*\* +\| (.*?) +\|.*\|$/gm, (_, rule, words) => {
    const tests = testsOf(rule, files).map((path) => `\`${path}\``);
    return `| **${rule}** | ${words} | ${tests.length === 0 ? '–' : tests.join(' ')} |`;
  });
  writeFileSync(inRoot(PAGE), page);
}

function check() {
  const problems = rulesProblems(readRulesPage(), readTests());
  if (problems.length === 0) return;
  console.log(problems.join('\n'));
  process.exitCode = 1;
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--check')) check();
  else fill();
}
