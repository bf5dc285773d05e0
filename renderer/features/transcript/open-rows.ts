import { create } from 'zustand';

/** Rows that somebody opened or closed, by `run/key`: kept while the page lives, because rows come and go as one scrolls. */
const useOpenRows = create<{ readonly rows: ReadonlyMap<string, boolean> }>(() => ({ rows: new Map() }));

/** Whether a row is open, or how it stands by itself. */
export const useRowOpen = (key: string, byItself: boolean): boolean =>
  useOpenRows((state) => state.rows.get(key) ?? byItself);

export function setRowOpen(key: string, open: boolean): void {
  useOpenRows.setState(({ rows }) => ({ rows: new Map(rows).set(key, open) }));
}

/** The one output that is shown in the terminal; all others are drawn as text. */
const useTerminalOwner = create<{ readonly owner: string | null }>(() => ({ owner: null }));

export const useOwnsTerminal = (key: string): boolean => useTerminalOwner((state) => state.owner === key);

export function takeTerminal(key: string): void {
  useTerminalOwner.setState({ owner: key });
}

/** Lets the terminal go, if this output has it. */
export function leaveTerminal(key: string): void {
  useTerminalOwner.setState((state) => (state.owner === key ? { owner: null } : state));
}
