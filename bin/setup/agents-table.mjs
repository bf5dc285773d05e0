import { existsSync, readFileSync } from 'node:fs';

/** @typedef {{ agent: string, row: string, outcome: string, seconds: number }} Seen */

/**
 * What was seen of the real agents, as a Markdown table: a line for each agent, a column for each thing that it met. Empty when nothing was seen.
 * @param {string} file JSON lines
 * @returns {string}
 */
export function agentsTable(file) {
  if (!existsSync(file)) return '';
  /** @type {Seen[]} */
  const seen = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const rows = [...new Set(seen.map(({ row }) => row))];
  const agents = [...new Set(seen.map(({ agent }) => agent))];
  const cell = (/** @type {string} */ agent, /** @type {string} */ row) => {
    const found = seen.findLast((one) => one.agent === agent && one.row === row);
    return found === undefined ? '' : `${found.outcome}, ${found.seconds.toFixed(1)} s`;
  };
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [
    line(['agent', ...rows]),
    line(['---', ...rows.map(() => '---')]),
    ...agents.map((agent) => line([agent, ...rows.map((row) => cell(agent, row))])),
  ].join('\n');
}
