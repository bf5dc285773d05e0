import { create } from 'zustand';
import type { BoundKeys } from '../../core/protocol/preferences.ts';
import { core } from './client.ts';

/** The keys that the user bound, as the core has them in `keys.json`; until they are read every command has its default. */
export const useBoundKeys = create<BoundKeys>(() => ({ path: '', keys: {}, problem: null }));

/** Reads them from the core, again whenever they may be others. */
export async function loadKeys(): Promise<void> {
  useBoundKeys.setState(await core.keys.get());
}

/** Binds a command to a chord, to none, or with undefined to its default. */
export async function bindKey(command: string, chord: string | null | undefined): Promise<void> {
  useBoundKeys.setState(await core.keys.set({ command, ...(chord === undefined ? {} : { chord }) }));
}

/** The chord that a command has now: `standard` unless the user bound it. */
export function useChord(command: string, standard: string | null): string | null {
  const bound = useBoundKeys(({ keys }) => keys[command]);
  return bound === undefined ? standard : bound;
}
