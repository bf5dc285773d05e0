/** What may come next while a JSON text is read. */
type Expect = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end' | 'end of text';

interface Reader {
  readonly text: string;
  at: number;
  readonly open: ('[' | '{')[];
  /** Names that each open object has by now; a list has none. */
  readonly names: Set<string>[];
  repeated: { readonly offset: number; readonly name: string } | null;
  expect: Expect;
  inString: boolean;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function matchAt(reader: Reader, pattern: RegExp): boolean {
  pattern.lastIndex = reader.at;
  if (!pattern.test(reader.text)) return false;
  reader.at = pattern.lastIndex;
  return true;
}

/** Reads a string that begins here; on a mistake `at` is left on it. */
function readString(reader: Reader): boolean {
  reader.at++;
  reader.inString = true;
  for (;;) {
    const unit = reader.text.charCodeAt(reader.at);
    if (Number.isNaN(unit) || unit < 0x20) return false;
    if (unit === 0x22) break;
    if (unit !== 0x5c) reader.at++;
    else if (!matchAt(reader, ESCAPE)) return false;
  }
  reader.at++;
  reader.inString = false;
  return true;
}

function afterValue(reader: Reader): true {
  reader.expect = reader.open.length > 0 ? ', or end' : 'end of text';
  return true;
}

function close(reader: Reader): true {
  reader.at++;
  reader.open.pop();
  reader.names.pop();
  return afterValue(reader);
}

function open(reader: Reader, bracket: '[' | '{'): true {
  reader.at++;
  reader.open.push(bracket);
  reader.names.push(new Set());
  reader.expect = bracket === '[' ? 'value or ]' : 'name or }';
  return true;
}

function readValue(reader: Reader, char: string): boolean {
  if (char === '[' || char === '{') return open(reader, char);
  if (char === ']' && reader.expect === 'value or ]') return close(reader);
  const read = char === '"' ? readString(reader) : matchAt(reader, NUMBER) || matchAt(reader, WORD);
  return read && afterValue(reader);
}

function readName(reader: Reader, char: string): boolean {
  if (char === '}' && reader.expect === 'name or }') return close(reader);
  const offset = reader.at;
  if (char !== '"' || !readString(reader)) return false;
  noteName(reader, offset);
  reader.expect = ':';
  return true;
}

/** Names are compared as they are meant, not as they are written: `"a"` and `"\u0061"` are one. */
function noteName(reader: Reader, offset: number): void {
  const written = reader.text.slice(offset, reader.at);
  const name = written.includes('\\') ? String(JSON.parse(written)) : written.slice(1, -1);
  const known = reader.names.at(-1);
  if (known?.has(name) === true) reader.repeated ??= { offset, name };
  known?.add(name);
}

function readSeparator(reader: Reader, char: string): boolean {
  const inside = reader.open.at(-1);
  if (char === (inside === '[' ? ']' : '}')) return close(reader);
  if (char !== ',') return false;
  reader.at++;
  reader.expect = inside === '[' ? 'value' : 'name';
  return true;
}

function step(reader: Reader): boolean {
  const char = reader.text[reader.at] ?? '';
  switch (reader.expect) {
    case 'value':
    case 'value or ]':
      return readValue(reader, char);
    case 'name':
    case 'name or }':
      return readName(reader, char);
    case ':':
      if (char !== ':') return false;
      reader.at++;
      reader.expect = 'value';
      return true;
    case ', or end':
      return readSeparator(reader, char);
    case 'end of text':
    default:
      return false;
  }
}

/** Line and column, from 1, of an offset. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

const EXPECTED: Record<Expect, string> = {
  value: 'a value',
  'value or ]': 'a value or "]"',
  name: 'a name in double quotes',
  'name or }': 'a name in double quotes or "}"',
  ':': 'a ":"',
  ', or end': 'a "," or the closing bracket',
  'end of text': 'the end of the text',
};

function scan(text: string): Reader {
  const reader: Reader = { text, at: 0, open: [], names: [], repeated: null, expect: 'value', inString: false };
  const space = /[ \t\n\r]*/y;
  do matchAt(reader, space);
  while (step(reader));
  return reader;
}

/**
 * A name that one object of a JSON text has twice, and where; null when there is none. `JSON.parse` keeps the last and says nothing, so that
 * a task, or all of them, would be left out unnoticed.
 */
export function repeatedName(text: string): { readonly offset: number; readonly name: string } | null {
  return scan(text).repeated;
}

/**
 * Where a JSON text stops being JSON (RFC 8259), and what was expected there; `JSON.parse` names no position for
 * most mistakes. Not recursive, so that depth costs nothing. Only for a text that `JSON.parse` has refused.
 */
export function jsonMistake(text: string): { offset: number; expected: string } {
  const reader = scan(text);
  return { offset: reader.at, expected: reader.inString ? 'the rest of a text in quotes' : EXPECTED[reader.expect] };
}
