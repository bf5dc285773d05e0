let segmenter: Intl.Segmenter | undefined;

/** Code units that one grapheme may take on average: bounds the work, and the text, when marks are piled up. */
const UNITS_PER_GRAPHEME = 32;

const ASCII = /^[\x20-\x7e]*$/;

/** The first `max + 1` graphemes of `text` as end offsets, or fewer when it is shorter. */
function boundaries(text: string, max: number): number[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  const ends: number[] = [];
  for (const { index, segment } of segmenter.segment(text.slice(0, (max + 1) * UNITS_PER_GRAPHEME))) {
    ends.push(index + segment.length);
    if (ends.length > max) break;
  }
  return ends;
}

/** `text`, or its beginning and `…` so that it has at most `max` graphemes in all (L5). */
export function cutGraphemes(text: string, max: number): string {
  if (text.length <= max) return text;
  if (ASCII.test(text.slice(0, max + 1))) return `${text.slice(0, max - 1).trimEnd()}…`;
  const ends = boundaries(text, max);
  if (ends.length <= max && ends.at(-1) === text.length) return text;
  return `${text.slice(0, ends[Math.min(max - 1, ends.length) - 1]).trimEnd()}…`;
}

/** True when `text` has fewer than `count` graphemes. */
export function shorterThan(text: string, count: number): boolean {
  if (text.length < count) return true;
  if (ASCII.test(text.slice(0, count))) return false;
  return boundaries(text, count).length < count;
}
