import { openInside } from '../../../workspace/containment/open-inside.ts';
import { writeInside } from '../../../workspace/containment/write-inside.ts';
import { changeDisplay, DIFFED } from './changed-file.ts';
import { defineTool } from './define-tool.ts';
import { keepUndo } from './keep-undo.ts';
import { failure, type ToolContext } from './tool.ts';

/** Writes a whole file. */
export const writeTool = defineTool({
  name: 'write',
  description:
    'Writes a whole file of the workspace, creating it and its folders or replacing what was there. Use edit to change a part of a file.',
  fields: {
    path: { type: 'string', description: 'relative to the workspace, or absolute inside it', minLength: 1 },
    content: { type: 'string', description: 'the whole text of the file' },
  },
  required: ['path', 'content'],
  readOnly: false,
  permission: 'edit',
  describe: ({ path }) => `Writing ${path}`,
  async run({ path, content }, context) {
    const before = await bytesBefore(path, context);
    const after = Buffer.from(content);
    const written = await writeInside(context.workspace, path, after);
    if (!written.ok) return failure(`Nothing was written: ${written.error.message}`);
    const { relative, created, bytes } = written.value;
    context.onFile('write', relative);
    const lost = await keepUndo(context, relative, created ? null : before, after);
    return {
      isError: false,
      text: `${created ? 'Created' : 'Replaced'} ${relative} (${bytes} bytes).${lost}`,
      display: changeDisplay(relative, before, after),
    };
  },
});

/** The bytes that will be replaced, to show the change; null if there are none or too many. */
async function bytesBefore(path: string, context: ToolContext): Promise<Buffer | null> {
  const opened = await openInside(context.workspace, path);
  if (!opened.ok) return null;
  const { handle, size } = opened.value;
  try {
    // One byte more than is compared makes the display leave the diff out.
    const bytes = Buffer.alloc(Math.min(size, DIFFED + 1));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
