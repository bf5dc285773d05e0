import { create } from 'zustand';
import type { TerminalRow } from '../../../core/protocol/terminal.ts';
import { core, describeFailure } from '../../app/client.ts';
import type { TerminalPlace } from '../../app/panel.ts';

interface TerminalsState {
  /** Null until the core was asked. */
  readonly rows: readonly TerminalRow[] | null;
  readonly selected: string | null;
  /** Why the last one could not be opened. */
  readonly refused: string | null;
  readonly opening: boolean;
}

export const useTerminals = create<TerminalsState>(() => ({
  rows: null,
  selected: null,
  refused: null,
  opening: false,
}));

/** The one that is shown after the rows have changed: the same one if it is still there, else the last. */
export function stillSelected(rows: readonly TerminalRow[], selected: string | null): string | null {
  if (rows.some(({ terminal_id }) => terminal_id === selected)) return selected;
  return rows.at(-1)?.terminal_id ?? null;
}

function take(rows: readonly TerminalRow[], selected: string | null): void {
  useTerminals.setState({ rows, selected: stillSelected(rows, selected) });
}

/** Asks the core which terminals are open: they outlive the page. */
export async function loadTerminals(): Promise<void> {
  try {
    take(await core.terminals.list(), useTerminals.getState().selected);
  } catch (error) {
    useTerminals.setState({ refused: describeFailure(error).message });
  }
}

/** Opens a terminal; it is fitted to the panel as soon as it is drawn. */
export async function openTerminal(place: TerminalPlace): Promise<void> {
  if (useTerminals.getState().opening) return;
  useTerminals.setState({ opening: true, refused: null });
  try {
    const row = await core.terminals.open({ ...place, cols: 80, rows: 24 });
    take([...(useTerminals.getState().rows ?? []), row], row.terminal_id);
  } catch (error) {
    useTerminals.setState({ refused: describeFailure(error).message });
  }
  useTerminals.setState({ opening: false });
}

/** Ends a terminal with all that it started. */
export async function closeTerminal(id: string): Promise<void> {
  const { rows, selected } = useTerminals.getState();
  take(
    (rows ?? []).filter(({ terminal_id }) => terminal_id !== id),
    selected === id ? null : selected,
  );
  // One that is not there any more is closed as well as one that is.
  await core.terminals.close({ terminal_id: id }).catch(() => undefined);
}

export function selectTerminal(id: string): void {
  useTerminals.setState({ selected: id });
}

/** The shell has ended by itself. */
export function noteEnded(id: string, exitCode: number | null): void {
  const { rows, selected } = useTerminals.getState();
  const next = (rows ?? []).map((row) =>
    row.terminal_id === id ? { ...row, alive: false, exit_code: exitCode } : row,
  );
  take(next, selected);
}
