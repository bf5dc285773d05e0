import { z } from 'zod';
import { TerminalOutput, TerminalRow } from '../terminal.ts';
import { Done, base } from './base.ts';

const TerminalId = z.object({ terminal_id: z.string() });
/** Columns or rows of a terminal. */
const Size = z.number().int().min(2).max(1_000);

/** Shells for the person, in a project's folder or a run's worktree. */
export const terminals = {
  list: base.output(z.array(TerminalRow)),
  open: base
    .input(z.object({ project_id: z.string(), run_id: z.string().nullable(), cols: Size, rows: Size }))
    .output(TerminalRow),
  /** Output from a place on; waits for some. A client reads again when it has shown what it got, and so is never flooded. */
  read: base.input(TerminalId.extend({ from: z.number().int().nonnegative() })).output(TerminalOutput),
  write: base.input(TerminalId.extend({ data: z.string().max(65_536) })).output(Done),
  resize: base.input(TerminalId.extend({ cols: Size, rows: Size })).output(Done),
  /** Ends the shell with everything it started. */
  close: base.input(TerminalId).output(Done),
};
