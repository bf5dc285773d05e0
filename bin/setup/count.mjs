import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {{ passed: number, failed: number }} Count
 */

/**
 * How many tests of a vitest JSON report passed and failed. A run that failed without a failing test (a file that does
 * not load, an unhandled error, no report) counts as one failure.
 * @param {string} report
 * @param {number} status of the run
 * @returns {Count}
 */
export function countVitest(report, status) {
  const { numPassedTests: passed = 0, numFailedTests: failed = 0 } = read(report);
  return withStatus(passed, failed, status);
}

/**
 * The same for a Playwright JSON report.
 * @param {string} report
 * @param {number} status
 * @returns {Count}
 */
export function countPlaywright(report, status) {
  const { expected = 0, flaky = 0, unexpected = 0 } = read(report).stats ?? {};
  return withStatus(expected + flaky, unexpected, status);
}

/**
 * @param {number} passed
 * @param {number} failed
 * @param {number} status
 */
function withStatus(passed, failed, status) {
  return { passed, failed: status === 0 ? failed : Math.max(1, failed) };
}

/** @param {string} report */
function read(report) {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
}
