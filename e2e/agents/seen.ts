import { appendFileSync } from 'node:fs';

/** One thing that was seen of an agent, for the table that `npm run e2e:agents` prints. */
interface Seen {
  /** Name of the way to the agent. */
  readonly agent: string;
  /** What it met. */
  readonly row: string;
  /** What became of it, and by which means it was told. */
  readonly outcome: string;
  readonly seconds: number;
}

/** Tells what was seen. */
export function record(seen: Seen): void {
  const file = process.env['ESPALIER_AGENTS_SEEN'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(seen)}\n`);
}

/** Starts a clock; the answer tells what was seen, once it was. */
export function watch(agent: string, row: string): (outcome: string) => void {
  const begun = performance.now();
  return (outcome) => record({ agent, row, outcome, seconds: (performance.now() - begun) / 1000 });
}
