import { cutMiddle } from '../../../kit/cut-middle.ts';
import { resolveInside } from '../../../workspace/containment/resolve-inside.ts';
import { defineTool } from './define-tool.ts';
import { walkFiles, type WalkEnd } from './file-walk.ts';
import { compileGlob } from './glob-pattern.ts';
import { RESULT_LIMIT } from './result-limit.ts';
import { failure } from './tool.ts';

const MOST_FILES = 1000;
const TIME_LIMIT = 30_000;

/** Finds files by the pattern of their path. */
export const globTool = defineTool({
  name: 'glob',
  description:
    'Finds files of the workspace by path pattern, like src/**/*.ts or **/*.{json,yaml} (* stays within a name, ** spans folders). ' +
    `Skips .git, node_modules and what .gitignore names; sorted by path, at most ${MOST_FILES}.`,
  fields: {
    pattern: { type: 'string', description: 'relative to path', minLength: 1 },
    path: { type: 'string', description: 'folder to search; the workspace by default', minLength: 1 },
    include_ignored: { type: 'boolean', description: 'also node_modules and what .gitignore names' },
  },
  required: ['pattern'],
  readOnly: true,
  permission: 'free',
  describe: ({ pattern, path }) => `Finding ${pattern}${path === undefined ? '' : ` in ${path}`}`,
  async run({ pattern, path, include_ignored }, context) {
    const compiled = compileGlob(pattern);
    if (!compiled.ok) return failure(`The pattern cannot be used: ${compiled.error}.`);
    const start = await resolveInside(context.workspace, path ?? '.');
    if (!start.ok) return failure(start.error.message);
    if (!start.value.exists) return failure(`"${path}" does not exist.`);
    const depth = start.value.relative === '.' ? 0 : start.value.relative.split('/').length;
    const found: string[] = [];
    const { clock, signal } = context;
    const options = { includeIgnored: include_ignored === true, clock, signal, timeLimit: TIME_LIMIT };
    const end = await walkFiles(start.value, options, (file) => {
      if (compiled.value.matches(file.names.slice(depth))) found.push(file.names.join('/'));
      return found.length <= MOST_FILES;
    });
    const shown = found.slice(0, MOST_FILES).sort();
    const notes = endNotes(end, found.length, pattern);
    const { text } = cutMiddle(shown.join('\n'), RESULT_LIMIT);
    return {
      isError: false,
      text: [...(text === '' ? [] : [text]), ...notes].join('\n'),
      display: { type: 'files', paths: shown },
    };
  },
});

function endNotes(end: WalkEnd, found: number, pattern: string): string[] {
  if (end === 'enough') return [`[only the first ${MOST_FILES} files; make the pattern narrower]`];
  if (end === 'time') return [`[stopped after ${TIME_LIMIT / 1000} s; give a folder in path]`];
  if (end === 'stopped') return ['[stopped]'];
  if (found > 0) return [];
  const hint = pattern.includes('/')
    ? 'set include_ignored to search ignored files too'
    : `for any folder use **/${pattern}`;
  return [`No file matches "${pattern}" (${hint}).`];
}
