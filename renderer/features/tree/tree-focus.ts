import { create } from 'zustand';

interface TreeFocus {
  /** The item that has, or would get, the keyboard. */
  readonly focused: string | null;
  readonly expanded: ReadonlySet<string>;
  /** Counts the growths let go: a new number lets the layout look again. */
  readonly releases: number;
}

/** What the tree remembers while it is drawn. */
export const useTreeFocus = create<TreeFocus>(() => ({ focused: null, expanded: new Set(), releases: 0 }));

export function setFocused(focused: string | null): void {
  if (useTreeFocus.getState().focused !== focused) useTreeFocus.setState({ focused });
}

/** Shows all rows of a large card. */
export function expandCard(id: string): void {
  useTreeFocus.setState(({ expanded }) => ({ expanded: new Set([...expanded, id]) }));
}

/** The row under the pointer. Not reactive: a pointer that moves over rows must not draw anything. */
let held: { readonly id: string; readonly height: number } | null = null;

export const heldRow = (): typeof held => held;

export function holdRow(id: string, height: number): void {
  held = { id, height };
}

/** Lets a row grow that failed under the pointer. */
export function releaseRow(id: string, height: number): void {
  if (held?.id !== id) return;
  const grew = held.height !== height;
  held = null;
  if (grew) useTreeFocus.setState(({ releases }) => ({ releases: releases + 1 }));
}
