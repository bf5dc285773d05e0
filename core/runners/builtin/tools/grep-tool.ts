import { statSync } from 'node:fs';
import { cutMiddle } from '../../../kit/cut-middle.ts';
import { ok, type Result } from '../../../kit/result.ts';
import { plainText } from '../../../kit/terminal-text.ts';
import { type InsidePath, resolveInside } from '../../../workspace/containment/resolve-inside.ts';
import { defineTool } from './define-tool.ts';
import { walkFiles, type WalkEnd, type WalkedFile } from './file-walk.ts';
import { compileGlob, type GlobPattern } from './glob-pattern.ts';
import { type FoundFile, GrepSearch } from './grep-search.ts';
import { compileLineMatcher } from './line-matcher.ts';
import { RESULT_LIMIT } from './result-limit.ts';
import { failure, type ToolContext, type ToolResult, readableFolders } from './tool.ts';

const DEFAULT_MATCHES = 200;
const MOST_MATCHES = 2000;
const TIME_LIMIT = 30_000;
const SHOWN_WIDTH = 500;

/** Finds lines by regular expression. */
export const grepTool = defineTool({
  name: 'grep',
  description:
    'Finds lines in files of the workspace by JavaScript regular expression, each line by itself. Answers path:line:text. ' +
    'Skips binary files, .git, node_modules and what .gitignore names.',
  fields: {
    pattern: { type: 'string', description: 'regular expression', minLength: 1 },
    path: { type: 'string', description: 'folder or file; the workspace by default', minLength: 1 },
    glob: { type: 'string', description: 'only files that match, like *.ts (any folder) or src/**/*.ts', minLength: 1 },
    ignore_case: { type: 'boolean', description: 'false by default' },
    output: { type: 'string', description: 'lines by default', enum: ['lines', 'files', 'count'] },
    context: {
      type: 'integer',
      description: 'lines shown before and after each match; 0 by default',
      minimum: 0,
      maximum: 20,
    },
    limit: {
      type: 'integer',
      description: `matches at most; ${DEFAULT_MATCHES} by default`,
      minimum: 1,
      maximum: MOST_MATCHES,
    },
    include_ignored: { type: 'boolean', description: 'also node_modules and what .gitignore names' },
  },
  required: ['pattern'],
  readOnly: true,
  permission: 'free',
  describe: ({ pattern, path }) => `Searching ${pattern}${path === undefined ? '' : ` in ${path}`}`,
  async run(args, context) {
    const matcher = compileLineMatcher(args.pattern, args.ignore_case === true);
    if (!matcher.ok)
      return failure(
        `The pattern is no valid regular expression: ${matcher.error}. Escape special characters with \\.`,
      );
    const filter = fileFilter(args.glob);
    if (!filter.ok) return failure(`The glob cannot be used: ${filter.error}.`);
    const start = await resolveInside(context.workspace, args.path ?? '.', { alsoReadable: readableFolders(context) });
    if (!start.ok) return failure(start.error.message);
    if (!start.value.exists) return failure(`"${args.path}" does not exist.`);
    const report = new Report(args.output ?? 'lines', args.limit ?? DEFAULT_MATCHES);
    const search = new GrepSearch(start.value, matcher.value, args.context ?? 0, (found) => report.add(found));
    const includeIgnored = args.include_ignored === true;
    const end = await searchFiles(start.value, search, report, filter.value, includeIgnored, context);
    search.flush();
    if (search.slowOn === null) return report.result(args.pattern, notes(end, search), includeIgnored);
    return failure(
      `The pattern takes too long on "${search.slowOn}" (nested repetition?). Make it simpler, or search a smaller path.`,
    );
  },
});

/** Which files are searched; a pattern without a slash means files of any folder. */
function fileFilter(glob: string | undefined): Result<GlobPattern, string> {
  if (glob === undefined) return ok({ matches: () => true });
  return compileGlob(glob.includes('/') ? glob : `**/${glob}`);
}

async function searchFiles(
  start: InsidePath,
  search: GrepSearch,
  report: Report,
  filter: GlobPattern,
  includeIgnored: boolean,
  context: ToolContext,
): Promise<WalkEnd> {
  const visit = (file: WalkedFile): boolean => {
    if (file.type === 'file' && filter.matches(file.names)) search.add(file);
    return !report.isFull && search.slowOn === null;
  };
  if (statSync(start.path, { throwIfNoEntry: false })?.isFile() === true) {
    visit({ path: start.path, names: start.relative.split('/'), type: 'file' });
    return 'done';
  }
  const { clock, signal } = context;
  return walkFiles(start, { includeIgnored, clock, signal, timeLimit: TIME_LIMIT }, visit);
}

/** Collects matches up to a limit and words them. */
class Report {
  readonly #output: string;
  readonly #limit: number;
  readonly #lines: string[] = [];
  readonly #counts = new Map<string, number>();
  #matches = 0;

  constructor(output: string, limit: number) {
    this.#output = output;
    this.#limit = limit;
  }

  get isFull(): boolean {
    return (this.#output === 'lines' ? this.#matches : this.#counts.size) > this.#limit;
  }

  add(found: FoundFile): void {
    if (this.isFull) return;
    this.#counts.set(found.file, (this.#counts.get(found.file) ?? 0) + found.count);
    if (this.#output !== 'lines') return;
    for (const { line, text, isMatch } of found.lines) {
      if (isMatch) this.#matches += 1;
      if (this.#matches > this.#limit) return;
      const mark = isMatch ? ':' : '-';
      this.#lines.push(`${found.file}${mark}${line}${mark}${shorten(text)}`);
    }
  }

  result(pattern: string, notes: readonly string[], includedIgnored: boolean): ToolResult {
    const files = [...this.#counts.keys()].slice(0, this.#output === 'lines' ? undefined : this.#limit);
    const all = [...notes];
    if (this.isFull) all.unshift(`only the first ${this.#limit} are shown; make the search narrower`);
    if (files.length === 0) {
      all.unshift(
        `no line matches ${pattern.slice(0, 200)}${includedIgnored ? '' : ' (ignored files were not searched)'}`,
      );
    }
    const { text } = cutMiddle(this.#body(files).join('\n'), RESULT_LIMIT - 1000);
    const lines = [...(text === '' ? [] : [text]), ...(all.length === 0 ? [] : [`[${all.join('; ')}]`])];
    return { isError: false, text: lines.join('\n'), display: { type: 'files', paths: files } };
  }

  #body(files: readonly string[]): readonly string[] {
    if (this.#output === 'lines') return this.#lines;
    return this.#output === 'files' ? files : files.map((file) => `${file}: ${this.#counts.get(file) ?? 0}`);
  }
}

function shorten(text: string): string {
  const plain = plainText(text);
  return plain.length > SHOWN_WIDTH
    ? `${plain.slice(0, SHOWN_WIDTH).toWellFormed()}… [${plain.length} characters]`
    : plain;
}

function notes(end: WalkEnd, search: GrepSearch): string[] {
  const words: string[] = [];
  if (end === 'time') words.push(`stopped after ${TIME_LIMIT / 1000} s; give a folder in path`);
  if (end === 'stopped') words.push('stopped');
  if (search.skippedBinary > 0) words.push(`${search.skippedBinary} binary files skipped`);
  if (search.unreadable > 0) words.push(`${search.unreadable} files could not be read`);
  return words;
}
