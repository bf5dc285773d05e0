import { openInside } from '../../../workspace/containment/open-inside.ts';
import { changeDisplay, DIFFED } from '../tools/changed-file.ts';
import { replaceText } from '../tools/replace-text.ts';

/**
 * The unified diff that an `edit` or `write` call would make now, for the person who is asked; null when it cannot be told (the text to replace
 * is not there, the file is too large or cannot be read): the call then says why it fails.
 */
export async function editPreview(
  workspace: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<string | null> {
  const path = args['path'];
  if (typeof path !== 'string' || (tool !== 'edit' && tool !== 'write')) return null;
  const before = await bytesOf(workspace, path);
  if (before === 'unreadable') return null;
  const after = tool === 'write' ? Buffer.from(stringOf(args['content'])) : edited(before, args);
  if (after === null) return null;
  const display = changeDisplay(path, before, after);
  return display.type === 'diff' ? display.diff : null;
}

function edited(before: Buffer | null, args: Readonly<Record<string, unknown>>): Buffer | null {
  if (before === null) return null;
  const { old_string, new_string, replace_all } = args;
  const replaced = replaceText(before, stringOf(old_string), stringOf(new_string), replace_all === true);
  return replaced.type === 'replaced' ? replaced.bytes : null;
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Null when there is no such file. */
async function bytesOf(workspace: string, path: string): Promise<Buffer | null | 'unreadable'> {
  const opened = await openInside(workspace, path);
  if (!opened.ok) return opened.error.code === 'not_found' ? null : 'unreadable';
  const { handle, size } = opened.value;
  try {
    return size > DIFFED ? 'unreadable' : await handle.readFile();
  } finally {
    await handle.close();
  }
}
