import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';
import { isChord } from '../shared/keys.ts';
import { useChord } from './key-bindings.ts';

/** Something the user can do from the palette or by a key. */
export interface Command {
  readonly id: string;
  readonly title: string;
  /** `mod+b`, `f6`, `?`; null for the palette only. */
  readonly chord: string | null;
  /** Also while a text field has the focus; chords with `mod` do so anyway. */
  readonly inFields?: boolean;
  readonly run: () => void;
}

/** A command as it is offered: with the key that it has now, and the one that it has by default. */
export interface OfferedCommand extends Command {
  readonly standard: string | null;
}

export const useCommands = create<{ readonly commands: readonly OfferedCommand[] }>(() => ({ commands: [] }));

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
      target.closest('.xterm') !== null)
  );
}

/** Offers a command while mounted, by its own key or the one that the user bound. The newest of two with one chord wins. */
export function useCommand(command: Command): void {
  const { id, title, chord: standard, inFields } = command;
  const chord = useChord(id, standard);
  const run = useEffectEvent(() => {
    command.run();
  });
  useEffect(() => {
    const offered: OfferedCommand = {
      id,
      title,
      chord,
      standard,
      run: () => {
        run();
      },
      ...(inFields === undefined ? {} : { inFields }),
    };
    useCommands.setState(({ commands }) => ({ commands: [...commands, offered] }));
    return () => {
      useCommands.setState(({ commands }) => ({ commands: commands.filter((other) => other !== offered) }));
    };
  }, [id, title, chord, standard, inFields]);
}

/** Does what a command does, from a button elsewhere; nothing if nobody offers it. */
export function runCommand(id: string): void {
  useCommands
    .getState()
    .commands.findLast((command) => command.id === id)
    ?.run();
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented) return;
  const inField = isField(event.target);
  const match = useCommands
    .getState()
    .commands.findLast(
      ({ chord, inFields }) =>
        chord !== null && isChord(event, chord) && (!inField || inFields === true || /mod|(^|\+)f\d/.test(chord)),
    );
  if (match === undefined) return;
  event.preventDefault();
  match.run();
}

/** Listens to the keys of all commands; the answer stops it. */
export function listenToKeys(): () => void {
  window.addEventListener('keydown', onKeyDown);
  return () => {
    window.removeEventListener('keydown', onKeyDown);
  };
}
