import { fold } from './search-words.ts';

/** One line of a text around words that were found in it. */
export interface Snippet {
  readonly text: string;
  readonly marks: readonly (readonly [number, number])[];
  /** Where the first of the words begins in the whole text (UTF-16 units); null if none was found again. */
  readonly found: number | null;
}

const BEFORE = 60;
const LENGTH = 200;
// The same bound as in the index (migrations/project).
const SEARCHED = 65_536;

/** The line around the earliest of the words, with every word in it marked. `words` are folded. */
export function snippetOf(text: string, words: readonly string[]): Snippet {
  const searched = text.slice(0, SEARCHED);
  const folded = fold(searched);
  const first = earliest(folded.text, words);
  const found = first === null ? null : folded.at(first);
  const from = Math.max(0, (found ?? 0) - BEFORE);
  const cut = from > 0 ? wordStart(searched, from, found ?? 0) : 0;
  const line = searched
    .slice(cut, cut + LENGTH)
    .replace(/\s+/g, ' ')
    .trim();
  const more = cut + LENGTH < text.length;
  const shown = `${cut > 0 ? '…' : ''}${line}${more ? '…' : ''}`;
  return { text: shown, marks: marksIn(shown, words), found };
}

function earliest(text: string, words: readonly string[]): number | null {
  const places = words.map((word) => text.indexOf(word)).filter((place) => place >= 0);
  return places.length === 0 ? null : Math.min(...places);
}

/** Not in the middle of a word, nor of a character. */
function wordStart(text: string, from: number, to: number): number {
  const space = text.slice(from, to).search(/\s/);
  if (space >= 0) return from + space + 1;
  const isLow = /[\udc00-\udfff]/.test(text.charAt(from));
  return isLow ? from + 1 : from;
}

function marksIn(text: string, words: readonly string[]): [number, number][] {
  const folded = fold(text);
  const marks: [number, number][] = [];
  for (const word of words) {
    for (let at = folded.text.indexOf(word); at >= 0; at = folded.text.indexOf(word, at + word.length)) {
      marks.push([folded.at(at), folded.at(at + word.length)]);
    }
  }
  marks.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  // Words that lie in each other are one mark.
  return marks.filter(([start], index) => !marks.slice(0, index).some(([, end]) => end > start));
}
