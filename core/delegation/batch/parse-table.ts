import type { TaskInput } from '../../protocol/batch.ts';
import type { BatchProblem } from '../../protocol/errors.ts';
import { RunLimits } from '../../protocol/settings.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { parseCsv, type CsvRecord } from './csv.ts';
import { batchProblem, listed, quote } from './problem.ts';
import { didYouMean } from './suggest.ts';

/** How the text of a cell becomes the value of a field. */
type Cell = 'text' | 'list' | 'number' | 'boolean' | 'json';

const FIELDS: Record<Exclude<keyof TaskInput, 'limits'>, Cell> = {
  id: 'text',
  goal: 'text',
  label: 'text',
  context: 'text',
  agent: 'text',
  model: 'text',
  effort: 'text',
  output_schema: 'json',
  acceptance: 'json',
  images: 'list',
  files: 'list',
  tools: 'list',
  isolation: 'text',
  base_ref: 'text',
  permission: 'text',
  depends_on: 'list',
  depends_on_any_outcome: 'boolean',
  retry: 'number',
  fallback_models: 'list',
  best_effort: 'boolean',
};

const LIMITS = Object.keys(RunLimits.shape);
const COLUMNS = [...Object.keys(FIELDS), ...LIMITS];

function json(cell: string): unknown {
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    // Stays text: validation then says what the field must be.
    return cell;
  }
}

const BOOLEANS: Record<string, boolean> = { true: true, yes: true, false: false, no: false };

function cellValue(cell: string, kind: Cell): unknown {
  const trimmed = cell.trim();
  switch (kind) {
    case 'text':
      return cell;
    case 'json':
      return json(trimmed);
    case 'number':
      return Number.isNaN(Number(trimmed)) ? cell : Number(trimmed);
    case 'boolean':
      return BOOLEANS[trimmed.toLowerCase()] ?? cell;
    case 'list':
    default:
      if (trimmed.startsWith('[')) return json(trimmed);
      return trimmed
        .split(/[;,\n]/)
        .map((part) => part.trim())
        .filter((part) => part !== '');
  }
}

/** `Max turns`, `limits.max_turns` and `max_turns` are the same column. */
const columnName = (cell: string): string =>
  cell
    .trim()
    .toLowerCase()
    .replace(/^limits\./, '')
    .replace(/[\s-]+/g, '_');

const mistake = (line: number, what: string): BatchProblem =>
  batchProblem(
    `The table cannot be read at line ${line}: ${what}.`,
    'Put fields with commas, quotes or line ends in double quotes, and double the quotes within them.',
    { pointer: `line ${line}` },
  );

function headerProblems(columns: readonly string[]): BatchProblem[] {
  const problems: BatchProblem[] = [];
  for (const column of new Set(columns)) {
    if (COLUMNS.includes(column)) continue;
    const suggestion = didYouMean(column, COLUMNS);
    const message = `The table has an unknown column ${quote(column)}.`;
    const fix = suggestion ? `Call it "${suggestion}".` : `Take it out. Known columns: ${listed(COLUMNS, 99)}.`;
    problems.push(batchProblem(message, fix, { field: column, suggestion }));
  }
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice !== undefined) {
    problems.push(batchProblem(`The table has the column ${quote(twice)} twice.`, 'Keep one.', { field: twice }));
  }
  if (!columns.includes('goal')) {
    const fix = 'Name the column that holds the goals "goal", in the first line.';
    problems.push(batchProblem('The table has no column "goal".', fix, { field: 'goal' }));
  }
  return problems;
}

function taskOf(columns: readonly string[], cells: readonly string[]): Record<string, unknown> {
  const task: [string, unknown][] = [];
  const limits: [string, unknown][] = [];
  columns.forEach((column, index) => {
    const cell = cells[index] ?? '';
    if (column === 'goal') task.push([column, cell.trim()]);
    else if (cell.trim() === '') return;
    else if (Object.hasOwn(FIELDS, column)) {
      task.push([column, cellValue(cell, FIELDS[column as keyof typeof FIELDS])]);
    } else limits.push([column, cellValue(cell, 'number')]);
  });
  if (limits.length > 0) task.push(['limits', Object.fromEntries(limits)]);
  return Object.fromEntries(task);
}

const columnsOf = (line: string, delimiter: string): string[] =>
  line.split(delimiter).map((cell) => columnName(cell.trim().replace(/^"(.*)"$/, '$1')));

/** True when `line` is the header of a table: it names a goal, and nothing that is no column. */
export function looksLikeHeader(line: string, delimiter: string): boolean {
  const columns = columnsOf(line, delimiter);
  return columns.includes('goal') && columns.every((column) => COLUMNS.includes(column));
}

/** The delimiter of a .csv file: spreadsheets of some countries write `;`, and some programs tabs. */
export function delimiterOf(text: string): string {
  const header = text.trimStart().split('\n', 1)[0] ?? '';
  return [',', ';', '\t'].find((delimiter) => columnsOf(header, delimiter).includes('goal')) ?? ',';
}

/** The tasks of a table with a header line (S2). Lists in a cell are separated by `;` or `,`, or are JSON. */
export function parseTable(text: string, delimiter: string): Result<Record<string, unknown>[], BatchProblem[]> {
  const read = parseCsv(text, delimiter);
  if (!read.ok) return err([mistake(read.error.line, read.error.what)]);
  const [header, ...rows] = read.value;
  if (header === undefined) return ok([]);
  const columns = header.fields.map(columnName);
  const problems = headerProblems(columns);
  if (problems.length > 0) return err(problems);
  const uneven = rows.filter(({ fields }) => fields.length !== columns.length);
  if (uneven.length > 0) return err(uneven.map((row) => mistake(row.line, unevenWords(row, columns.length))));
  return ok(rows.map(({ fields }) => taskOf(columns, fields)));
}

function unevenWords({ fields }: CsvRecord, columns: number): string {
  return `it has ${fields.length} ${fields.length === 1 ? 'field' : 'fields'}, the header has ${columns}`;
}
