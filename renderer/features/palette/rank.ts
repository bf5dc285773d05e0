/** How well a text answers a query: higher is better, 0 is not at all. Every word of the query must be in it. */
export function score(text: string, query: string): number {
  const hay = text.toLowerCase();
  let sum = 0;
  for (const word of query.toLowerCase().split(/\s+/)) {
    if (word === '') continue;
    const one = scoreOfWord(hay, word);
    if (one === 0) return 0;
    sum += one;
  }
  return sum;
}

function scoreOfWord(hay: string, word: string): number {
  if (hay.startsWith(word)) return 8;
  const at = hay.indexOf(word);
  if (at > 0) return /[\p{L}\p{N}]/u.test(hay[at - 1] ?? ' ') ? 3 : 5;
  return isSubsequence(hay, word) ? 1 : 0;
}

/** The letters of a short word in their order, as in `nc` for `new conversation`. */
function isSubsequence(hay: string, word: string): boolean {
  if (word.length > 5) return false;
  const starts = hay.split(/[^\p{L}\p{N}]+/u).map((part) => part[0] ?? '');
  return starts.join('').includes(word);
}

/** The best answers to a query, at most `most`; without a query the first ones, in their order. */
export function best<T>(items: readonly T[], textOf: (item: T) => string, query: string, most: number): readonly T[] {
  if (query.trim() === '') return items.slice(0, most);
  return items
    .map((item, place) => ({ item, place, score: score(textOf(item), query) }))
    .filter((one) => one.score > 0)
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, most)
    .map(({ item }) => item);
}
