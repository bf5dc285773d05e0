import { err, ok, type Result } from '../../kit/result.ts';

/** One record and the line, from 1, on which it begins. */
export interface CsvRecord {
  readonly fields: string[];
  readonly line: number;
}

/** What is wrong, and on which line, from 1. */
export interface CsvMistake {
  readonly line: number;
  readonly what: string;
}

interface Reader {
  readonly text: string;
  readonly delimiter: string;
  at: number;
  line: number;
}

/** Line ends within `text`. */
const lineEnds = (text: string): number => text.split('\n').length - 1;

/** A quoted field whose opening quote is at `at`. */
function quoted(reader: Reader): Result<string, CsvMistake> {
  const begin = reader.line;
  const parts: string[] = [];
  for (let from = reader.at + 1; ;) {
    const quote = reader.text.indexOf('"', from);
    if (quote < 0) return err({ line: begin, what: 'a quote is opened and never closed' });
    parts.push(reader.text.slice(from, quote));
    reader.at = quote + 1;
    if (reader.text[reader.at] !== '"') break;
    parts.push('"');
    from = reader.at + 1;
  }
  const field = parts.join('');
  reader.line += lineEnds(field);
  const next = reader.text[reader.at];
  if (next === undefined || next === '\n' || next === reader.delimiter) return ok(field);
  return err({ line: reader.line, what: 'something follows a closing quote' });
}

/** A field without quotes. A tab-separated file may have quotes within one, as they do no harm there. */
function bare(reader: Reader): Result<string, CsvMistake> {
  let end = reader.at;
  while (end < reader.text.length && reader.text[end] !== '\n' && reader.text[end] !== reader.delimiter) end++;
  const field = reader.text.slice(reader.at, end);
  reader.at = end;
  if (reader.delimiter === '\t' || !field.includes('"')) return ok(field);
  return err({ line: reader.line, what: 'there is a quote within a field that does not begin with one' });
}

/** One record; afterwards `at` is behind its line end. */
function record(reader: Reader): Result<CsvRecord, CsvMistake> {
  const { line } = reader;
  const fields: string[] = [];
  for (;;) {
    const field = reader.text[reader.at] === '"' ? quoted(reader) : bare(reader);
    if (!field.ok) return field;
    fields.push(field.value);
    if (reader.text[reader.at++] === reader.delimiter) continue;
    reader.line++;
    return ok({ fields, line });
  }
}

/**
 * The records of a CSV text by RFC 4180 (`\n` as line end; quoted fields may hold delimiters, quotes doubled, and
 * line ends). Records that are empty lines are left out.
 */
export function parseCsv(text: string, delimiter: string): Result<CsvRecord[], CsvMistake> {
  const reader: Reader = { text, delimiter, at: 0, line: 1 };
  const records: CsvRecord[] = [];
  while (reader.at < text.length) {
    const read = record(reader);
    if (!read.ok) return read;
    if (read.value.fields.some((field) => field.trim() !== '')) records.push(read.value);
  }
  return ok(records);
}
