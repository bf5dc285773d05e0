import { resolve } from 'node:path';
import { type OpenedFile, openInside } from '../../../workspace/containment/open-inside.ts';
import { writeInside } from '../../../workspace/containment/write-inside.ts';
import { changeDisplay } from './changed-file.ts';
import { defineTool } from './define-tool.ts';
import { fileKind } from './file-kind.ts';
import { keepUndo } from './keep-undo.ts';
import { nearestLines } from './nearest-lines.ts';
import { replaceText } from './replace-text.ts';
import { similarNames } from './similar-names.ts';
import { failure, type ToolContext, type ToolResult } from './tool.ts';

const LARGEST = 20 * 1024 * 1024;

/** Replaces an exact text in a file. */
export const editTool = defineTool({
  name: 'edit',
  description:
    'Replaces old_string by new_string in a file of the workspace. old_string must match exactly, white space too, and only once, ' +
    'so include enough lines around it; replace_all replaces every match. Line ends of the file (CRLF) are kept.',
  fields: {
    path: { type: 'string', description: 'relative to the workspace, or absolute inside it', minLength: 1 },
    old_string: { type: 'string', description: 'the exact text to replace', minLength: 1 },
    new_string: { type: 'string', description: 'the text to put in its place' },
    replace_all: { type: 'boolean', description: 'replace every match; false by default' },
  },
  required: ['path', 'old_string', 'new_string'],
  readOnly: false,
  permission: 'edit',
  describe: ({ path }) => `Editing ${path}`,
  run(args, context) {
    if (args.old_string === args.new_string) {
      return Promise.resolve(failure('old_string and new_string are the same; nothing was changed.'));
    }
    return inTurn(resolve(context.workspace, args.path), () => readAndEdit(args, context));
  },
});

const turns = new Map<string, Promise<unknown>>();

/** Edits of one file follow each other: between reading and writing there is time for another. */
async function inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(path) ?? Promise.resolve()).then(work, work);
  turns.set(path, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(path) === turn) turns.delete(path);
  }
}

async function readAndEdit(args: EditArguments, context: ToolContext): Promise<ToolResult> {
  const opened = await openInside(context.workspace, args.path);
  if (!opened.ok) {
    const { code, message } = opened.error;
    if (code !== 'not_found') return failure(`Nothing was changed: ${message}`);
    return failure(
      `Nothing was changed: ${message}${await similarNames(context.workspace, args.path)} Create files with write.`,
    );
  }
  const read = await readWhole(opened.value, args.path);
  return typeof read === 'string' ? failure(`Nothing was changed: ${read}`) : edit(args, opened.value, read, context);
}

interface EditArguments {
  readonly path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

async function edit(args: EditArguments, file: OpenedFile, before: Buffer, context: ToolContext): Promise<ToolResult> {
  const { path, old_string, new_string } = args;
  const replaced = replaceText(before, old_string, new_string, args.replace_all === true);
  if (replaced.type === 'none') {
    const near = nearestLines(before.toString(), old_string);
    return failure(`old_string does not occur in "${path}"; nothing was changed. ${near}`);
  }
  if (replaced.type === 'several') {
    const lines = replaced.lines.join(', ');
    return failure(
      `old_string occurs ${replaced.count} times in "${path}" (lines ${lines}${replaced.count > replaced.lines.length ? ', …' : ''}); nothing was changed. ` +
        'Include more lines around the one that you mean, or set replace_all.',
    );
  }
  const written = await writeInside(context.workspace, path, replaced.bytes, { expected: file.state });
  if (!written.ok) return failure(`Nothing was changed: ${written.error.message}`);
  context.onFile('write', written.value.relative);
  const lost = await keepUndo(context, written.value.relative, before, replaced.bytes);
  const display = changeDisplay(written.value.relative, before, replaced.bytes);
  const count = display.type === 'diff' ? `, +${display.added} −${display.removed} lines` : '';
  return {
    isError: false,
    text: `Edited ${written.value.relative}: ${replaced.count} ${replaced.count === 1 ? 'replacement' : 'replacements'}${count}.${lost}`,
    display,
  };
}

/** The bytes of the file (its handle is closed), or why it cannot be edited. */
async function readWhole({ handle, size }: OpenedFile, path: string): Promise<Buffer | string> {
  try {
    if (size > LARGEST) return `"${path}" has ${size} bytes; at most ${LARGEST} can be edited. Use bash (sed).`;
    const bytes = await handle.readFile();
    const kind = fileKind(bytes);
    if (kind.type === 'text') return bytes;
    return `"${path}" is ${kind.type === 'image' ? `an image (${kind.mediaType})` : kind.words}, not text.`;
  } finally {
    await handle.close();
  }
}
