import { plainText } from '../../../kit/terminal-text.ts';
import { type OpenedFile, openInside } from '../../../workspace/containment/open-inside.ts';
import { defineTool } from './define-tool.ts';
import { fileKind, KIND_BYTES } from './file-kind.ts';
import { type LinePage, readPage } from './line-pages.ts';
import { similarNames } from './similar-names.ts';
import { RESULT_LIMIT } from './result-limit.ts';
import { failure, type ToolContext, type ToolResult, readableFolders } from './tool.ts';

const DEFAULT_LINES = 2000;
const LARGEST_IMAGE = 5 * 1024 * 1024;

/** Reads a text file by pages of lines, or shows an image. */
export const readTool = defineTool({
  name: 'read',
  description:
    `Reads a file of the workspace: text as it is, without line numbers (${DEFAULT_LINES} lines at most; page with offset and limit), ` +
    'or a PNG, JPEG, GIF or WebP image. The paths of cut outputs that other tools name can be read too.',
  fields: {
    path: { type: 'string', description: 'relative to the workspace, or absolute inside it', minLength: 1 },
    offset: { type: 'integer', description: 'first line, from 1', minimum: 1 },
    limit: { type: 'integer', description: `lines at most; ${DEFAULT_LINES} by default`, minimum: 1, maximum: 20_000 },
  },
  required: ['path'],
  readOnly: true,
  permission: 'free',
  describe: ({ path }) => `Reading ${path}`,
  async run({ path, offset, limit }, context) {
    const opened = await openInside(context.workspace, path, { alsoReadable: readableFolders(context) });
    if (!opened.ok) {
      const { code, message } = opened.error;
      if (code === 'not_found') return failure(message + (await similarNames(context.workspace, path)));
      return failure(code === 'not_a_file' && message.includes('folder') ? `${message} Use ls or glob.` : message);
    }
    const file = opened.value;
    try {
      const result = await readFile(file, path, { offset: offset ?? 1, limit: limit ?? DEFAULT_LINES }, context);
      if (!result.isError && file.inWorkspace) context.onFile('read', file.relative);
      return result;
    } finally {
      await file.handle.close();
    }
  },
});

interface Page {
  readonly offset: number;
  readonly limit: number;
}

async function readFile(file: OpenedFile, path: string, page: Page, context: ToolContext): Promise<ToolResult> {
  const start = Buffer.alloc(Math.min(KIND_BYTES, file.size));
  await file.handle.read(start, 0, start.length, 0);
  const kind = fileKind(start);
  if (kind.type === 'image') return readImage(file, path, kind.mediaType);
  if (kind.type === 'binary')
    return failure(`"${path}" is ${kind.words} (${file.size} bytes), not text; nothing was read.`);
  const read = await readPage(file.handle, { ...page, maxCharacters: RESULT_LIMIT }, context.signal);
  if (read === null) return failure(`Reading "${path}" was stopped; nothing of it was read.`);
  return pageResult(path, page, read);
}

function pageResult(path: string, { offset }: Page, page: LinePage): ToolResult {
  const { lines, totalLines } = page;
  if (totalLines === 0) return { isError: false, text: '(the file is empty)' };
  if (lines.length === 0)
    return failure(`"${path}" has ${totalLines ?? 'fewer'} lines; offset ${offset} is past its end.`);
  const joined = lines.join('\n');
  // A text without any LF may use CR alone as line end; elsewhere a CR redraws its line.
  const raw = joined.includes('\n') ? joined : joined.replaceAll('\r', '\n');
  const text = plainText(raw);
  const notes = [...placeNotes(offset, page), ...contentNotes(page, raw, text)];
  return {
    isError: false,
    text: notes.length === 0 ? text : `${text}\n[${notes.join('; ')}]`,
    display: { type: 'files', paths: [path] },
  };
}

function placeNotes(offset: number, { lines, totalLines }: LinePage): string[] {
  const last = offset + lines.length - 1;
  const isLast = totalLines !== null && last >= totalLines;
  if (isLast && offset === 1) return [];
  return [
    `lines ${offset}–${last} of ${totalLines ?? 'more than can be counted'}`,
    ...(isLast ? [] : [`continue with offset ${last + 1}`]),
  ];
}

function contentNotes({ cutLines, crlf }: LinePage, raw: string, text: string): string[] {
  const notes: string[] = [];
  if (cutLines.length > 0) notes.push('very long lines are cut; see all of one with bash (cut -c)');
  if (crlf) notes.push('lines end with CRLF');
  if (text !== raw) notes.push('control characters and escape sequences are left out');
  if (text.includes('\uFFFD')) notes.push('bytes that are not UTF-8 are shown as \uFFFD');
  return notes;
}

async function readImage(file: OpenedFile, path: string, mediaType: string): Promise<ToolResult> {
  if (file.size > LARGEST_IMAGE) {
    return failure(
      `"${path}" is an image of ${file.size} bytes; at most ${LARGEST_IMAGE} can be shown. Make it smaller first.`,
    );
  }
  const bytes = Buffer.alloc(file.size);
  const { bytesRead } = await file.handle.read(bytes, 0, file.size, 0);
  return {
    isError: false,
    text: `${path}: ${mediaType}, ${bytesRead} bytes`,
    images: [{ mediaType, base64: bytes.subarray(0, bytesRead).toString('base64') }],
    display: { type: 'files', paths: [path] },
  };
}
