import type { ExitStatus } from '../exit-status.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** A command cannot go on: said to people as it is, and ends the program with a status. */
export class Failure extends Error {
  readonly status: ExitStatus;
  readonly lines: readonly string[];

  constructor(status: ExitStatus, ...lines: string[]) {
    super(lines[0]);
    this.name = 'Failure';
    this.status = status;
    this.lines = lines;
  }
}

/** Says a failure and answers its status. */
export function tell(terminal: Terminal, failure: Failure): ExitStatus {
  const [first = '', ...rest] = failure.lines;
  terminal.note(`espalier: ${first}`);
  for (const line of rest) terminal.note(line);
  return failure.status;
}
