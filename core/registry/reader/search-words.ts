/** What a person typed into the search box, as words. */
export interface SearchWords {
  /** For FTS5's MATCH. */
  readonly match: string;
  /** Folded words and phrases, for finding them in a text again. */
  readonly words: readonly string[];
}

const SEARCHABLE = /[\p{L}\p{N}\p{Co}]/u;

/**
 * All words must be there, in any order; words in quotes as they stand; the last word may be the beginning of one, as
 * long as it is being typed. Nothing that a person types is an operator of FTS5. Null when there is no word in it.
 */
export function searchWords(text: string): SearchWords | null {
  const parts = [...text.matchAll(/"([^"]*)"?|[^\s"]+/g)].map(([whole, quoted]) => ({
    word: quoted ?? whole,
    typed: quoted === undefined,
  }));
  const searchable = parts.filter(({ word }) => SEARCHABLE.test(word));
  const last = searchable.at(-1);
  if (last === undefined) return null;
  const open = last.typed && !/\s$/.test(text);
  const terms = searchable.map((part) => `"${part.word}"${part === last && open ? ' *' : ''}`);
  return { match: terms.join(' '), words: searchable.map(({ word }) => fold(word).text.trim()) };
}

/** A text without case and accents, and where each of its characters stood before (UTF-16 units). */
export interface Folded {
  readonly text: string;
  at(index: number): number;
}

/** Folds as the index does (unicode61, without diacritics), near enough to find a word again. */
export function fold(text: string): Folded {
  // Most text of developers; nothing moves in it.
  if (/^[\u0000-\u007f]*$/.test(text)) return { text: text.toLowerCase(), at: (index) => index };
  const places: number[] = [];
  let folded = '';
  let place = 0;
  for (const character of text) {
    const plain = character.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    for (let i = 0; i < plain.length; i += 1) places.push(place);
    folded += plain;
    place += character.length;
  }
  return { text: folded, at: (index) => places[index] ?? text.length };
}
