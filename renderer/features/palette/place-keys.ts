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
      { words: words.find, chords: ['a…z'] },
    ],
  },
  {
    title: words.timeline,
    keys: [
      { words: words.move, chords: ['↑', '↓', '←', '→'] },
      { words: words.zoom, chords: ['=', '-'] },
    ],
  },
  {
    title: words.inbox,
    keys: [
      { words: words.step, chords: ['↑', '↓'] },
      { words: words.once, chords: ['a'] },
      { words: words.forRun, chords: ['r'] },
      { words: words.forSet, chords: ['s'] },
      { words: words.always, chords: ['p'] },
      { words: words.deny, chords: ['d'] },
    ],
  },
  {
    title: words.writing,
    keys: [
      { words: words.send, chords: ['enter'] },
      { words: words.followUp, chords: ['mod+enter'] },
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
