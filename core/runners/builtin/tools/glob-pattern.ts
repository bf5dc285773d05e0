import { err, ok, type Result } from '../../../kit/result.ts';

/** A compiled pattern; matches a path given as its names (`['src', 'a.ts']`). Time is bounded by pattern length × path length. */
export interface GlobPattern {
  matches(names: readonly string[]): boolean;
}

type Token =
  | { readonly type: 'one' }
  | { readonly type: 'many' }
  | { readonly type: 'text'; readonly character: string }
  | { readonly type: 'set'; readonly negated: boolean; readonly ranges: readonly (readonly [number, number])[] };

/** A name pattern, or any number of folders (`**`). */
type Segment = 'folders' | readonly Token[];

const MOST_ALTERNATIVES = 1000;

/**
 * Compiles a glob: `*` and `?` within a name (also a leading dot), `**` for any folders, `[a-z]` and `[!a]` sets, `{a,b}` alternatives, `\` escapes.
 * The error says what is wrong.
 */
export function compileGlob(pattern: string): Result<GlobPattern, string> {
  const alternatives = expandBraces(pattern.replace(/^\.\//, ''));
  if (alternatives === null) return err(`the pattern stands for more than ${MOST_ALTERNATIVES} alternatives`);
  const compiled = alternatives.map((alternative) => alternative.split('/').filter((part) => part !== '').map(segment)); // prettier-ignore
  return ok({ matches: (names) => compiled.some((segments) => matchPath(segments, names)) });
}

/** All patterns that braces stand for; null if too many. Braces without a comma, or not closed, are plain text. */
function expandBraces(pattern: string): string[] | null {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const braces = firstBraces(next);
    if (braces === null) done.push(next);
    else for (const part of braces.parts) open.push(`${braces.before}${part}${braces.after}`);
    if (done.length + open.length > MOST_ALTERNATIVES) return null;
  }
  return done.reverse();
}

function firstBraces(pattern: string): { before: string; parts: string[]; after: string } | null {
  for (let start = 0; start < pattern.length; start += 1) {
    if (pattern[start] === '\\') start += 1;
    else if (pattern[start] === '{') {
      const parts = bracesAt(pattern, start);
      if (parts !== null && parts.parts.length > 1) return parts;
    }
  }
  return null;
}

function bracesAt(pattern: string, start: number): { before: string; parts: string[]; after: string } | null {
  const parts: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (character === '{') depth += 1;
    else if (character === ',' && depth === 1) {
      parts.push(pattern.slice(from, at));
      from = at + 1;
    } else if (character === '}' && (depth -= 1) === 0) {
      parts.push(pattern.slice(from, at));
      return { before: pattern.slice(0, start), parts, after: pattern.slice(at + 1) };
    }
  }
  return null;
}

function segment(text: string): Segment {
  if (text === '**') return 'folders';
  const tokens: Token[] = [];
  const characters = Array.from(text);
  for (let at = 0; at < characters.length; at += 1) {
    const set = characters[at] === '[' ? setAt(characters, at) : null;
    if (set === null) {
      const escaped = characters[at] === '\\' && at + 1 < characters.length;
      if (escaped) at += 1;
      addToken(tokens, characters[at] ?? '', escaped);
    } else {
      tokens.push(set.token);
      at = set.end;
    }
  }
  return tokens;
}

function addToken(tokens: Token[], character: string, escaped: boolean): void {
  if (escaped || (character !== '*' && character !== '?')) tokens.push({ type: 'text', character });
  else if (character === '?') tokens.push({ type: 'one' });
  else if (tokens.at(-1)?.type !== 'many') tokens.push({ type: 'many' });
}

/** `[…]` from `start`; null if it is not closed (then `[` is plain text). A `]` right after the beginning stands for itself. */
function setAt(characters: readonly string[], start: number): { token: Token; end: number } | null {
  const negated = characters[start + 1] === '!' || characters[start + 1] === '^';
  const first = start + (negated ? 2 : 1);
  const end = characters.indexOf(']', first + 1);
  if (end < 0) return null;
  const ranges: [number, number][] = [];
  for (let at = first; at < end; at += 1) {
    const isRange = characters[at + 1] === '-' && at + 2 < end;
    ranges.push([codeOf(characters[at]), codeOf(characters[isRange ? at + 2 : at])]);
    if (isRange) at += 2;
  }
  return { token: { type: 'set', negated, ranges }, end };
}

function codeOf(character: string | undefined): number {
  return character?.codePointAt(0) ?? 0;
}

/** Walks both sides once and goes back to the last `**` only: what an earlier one could take, the last can take too. */
function matchPath(segments: readonly Segment[], names: readonly string[]): boolean {
  return matchSequence(segments, names, (one) => one === 'folders', (one, name) => one !== 'folders' && matchName(one, name)); // prettier-ignore
}

function matchName(tokens: readonly Token[], name: string): boolean {
  return matchSequence(tokens, Array.from(name), (one) => one.type === 'many', matchCharacter);
}

function matchCharacter(token: Token, character: string): boolean {
  if (token.type === 'one') return true;
  if (token.type === 'text') return token.character === character;
  if (token.type === 'many') return false;
  const code = character.codePointAt(0) ?? 0;
  return token.negated !== token.ranges.some(([from, to]) => code >= from && code <= to);
}

function matchSequence<P, V>(
  pattern: readonly P[],
  values: readonly V[],
  isMany: (one: P) => boolean,
  matchOne: (one: P, value: V) => boolean,
): boolean {
  let at = 0;
  let many = -1;
  let taken = 0;
  for (let index = 0; index < values.length;) {
    const one = pattern[at];
    if (one !== undefined && isMany(one)) {
      many = at;
      taken = index;
      at += 1;
    } else if (one !== undefined && matchOne(one, values[index] as V)) {
      at += 1;
      index += 1;
    } else if (many >= 0) {
      at = many + 1;
      index = taken += 1;
    } else return false;
  }
  while (at < pattern.length && isMany(pattern[at] as P)) at += 1;
  return at === pattern.length;
}
