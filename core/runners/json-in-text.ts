/** JSON values found in a text, in order. */
export type FoundJson = readonly unknown[];

/** Characters looked at, from the end: an output stands at the end of an answer. */
const LOOKED_AT = 1_000_000;
/** Characters read over all tries: a text of braces that never close is no answer with an object in it. */
const MOST_READ = 20_000_000;

/**
 * The JSON values that a model's text holds: the whole text, the content of code fences, and objects (arrays too, if `arrays`) between other
 * words (B16). A value that is cut, or no JSON, hides what is inside it: a part of a broken object is no object of its own (B19). An empty
 * object counts only where it is the whole text or the whole content of a fence, for code is full of `{}`.
 */
export function jsonIn(text: string, arrays = false): FoundJson {
  const whole = text
    .replace(/^\uFEFF/, '')
    .trim()
    .slice(-LOOKED_AT);
  const value = parsed(whole);
  if (value.ok) return [value.value];
  const found: unknown[] = [];
  let at = 0;
  for (let read = 0; read < MOST_READ;) {
    const start = nextStart(whole, at, arrays);
    if (start < 0) break;
    const place = { start, end: endOf(whole, start) };
    const inside = valueAt(whole, place);
    if (inside !== null) found.push(...inside);
    const isCut = place.end < 0;
    const end = isCut ? whole.length : place.end;
    read += end - start;
    at = inside !== null || looksLikeJson(whole, start) ? end : start + 1;
  }
  return found;
}

interface Place {
  readonly start: number;
  /** −1 when the text ends inside. */
  readonly end: number;
}

/** The value there; an empty list for one that does not count; null if it is none. */
function valueAt(text: string, place: Place): readonly unknown[] | null {
  if (place.end < 0) return null;
  const value = parsed(text.slice(place.start, place.end));
  if (!value.ok) return null;
  return isEmptyObject(value.value) && !isFenced(text, place) ? [] : [value.value];
}

function parsed(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false };
  }
}

function nextStart(text: string, from: number, arrays: boolean): number {
  const object = text.indexOf('{', from);
  const array = arrays ? text.indexOf('[', from) : -1;
  return array >= 0 && (object < 0 || array < object) ? array : object;
}

/** Position after the bracket that closes the one at `start`; −1 when the text ends first. */
function endOf(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if ((character === '}' || character === ']') && (depth -= 1) === 0) return at + 1;
  }
  return -1;
}

/** `{"` begins an object that was meant as JSON, other braces are prose or code. */
function looksLikeJson(text: string, start: number): boolean {
  return /^[{[]\s*["{[]/.test(text.slice(start, start + 200));
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Whether nothing but white space stands between the value and the marks of a code fence around it. */
function isFenced(text: string, { start, end }: Place): boolean {
  return (
    /(?:^|\n)```[^\S\n]*\w*[^\S\n]*\r?\n\s*$/.test(text.slice(Math.max(0, start - 100), start)) &&
    /^\s*```/.test(text.slice(end, end + 100))
  );
}
