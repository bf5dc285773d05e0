import { startStrings } from '../../shared/start-strings.ts';

const { shortcuts: words } = startStrings;

export interface Shortcut {
  readonly words: string;
  readonly chords: readonly string[];
}

/** Keys that only hold in one place; those that hold everywhere are the commands. */
export const PLACE_KEYS: readonly { readonly title: string; readonly keys: readonly Shortcut[] }[] = [
  {
    title: words.tree,
    keys: [
      { words: words.move, chords: ['↑', '↓', '←', '→'] },
      { words: words.ends, chords: ['home', 'end'] },
      { words: words.open, chords: ['enter'] },
      { words: words.stop, chords: ['delete'] },
    ],
  },
  {
    title: words.writing,
    keys: [
      { words: words.send, chords: ['enter'] },
      { words: words.line, chords: ['shift+enter'] },
    ],
  },
  {
    title: words.batch,
    keys: [
      { words: words.run, chords: ['mod+enter'] },
      { words: words.problem, chords: ['f8'] },
      { words: words.next, chords: ['enter'] },
      { words: words.reorder, chords: ['alt+↑', 'alt+↓'] },
      { words: words.undo, chords: ['mod+z'] },
      { words: words.close, chords: ['escape'] },
    ],
  },
];
