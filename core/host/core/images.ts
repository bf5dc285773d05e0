import { randomBytes } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { err, ok, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import { MAX_IMAGE_BYTES, type ImageInput, type SavedImage } from '../../protocol/images.ts';
import { fileKind } from '../../runners/builtin/tools/file-kind.ts';

const ENDS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** The longest name that goes into the file's own: with what is put around it, it fits on every file system. */
const NAME_CHARS = 60;

/** Where the images of a project's messages and tasks are kept. */
export const imageFolder = (home: string, projectId: string): string => join(home, 'projects', projectId, 'images');

/**
 * Keeps a pasted or dropped image as a private file beside the project's data. What it is, its bytes say, not its name. The file is a new one:
 * nothing that is there is followed or overwritten.
 */
export async function saveImage(
  home: string,
  { project_id, name, base64 }: ImageInput,
): Promise<Result<SavedImage, ApiError>> {
  const refuse = (message: string): Result<SavedImage, ApiError> => err({ code: 'invalid_input', message });
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return refuse('The image did not arrive whole. Attach it again.');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_IMAGE_BYTES) {
    return refuse(`The image has ${bytes.length} bytes; one may have ${MAX_IMAGE_BYTES}. Attach a smaller one.`);
  }
  const kind = fileKind(bytes);
  const end = kind.type === 'image' ? ENDS[kind.mediaType] : undefined;
  if (kind.type !== 'image' || end === undefined) return refuse('It is no PNG, JPEG, GIF or WebP image.');
  const folder = imageFolder(home, project_id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${randomBytes(6).toString('hex')}-${plainName(name)}.${end}`);
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
  } finally {
    await file.close();
  }
  return ok({ path, bytes: bytes.length, media_type: kind.mediaType });
}

/** Letters, digits and `-` of a file's name without its ending: nothing that a path or shell would take for more. */
function plainName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  const words = last.replace(/\.[A-Za-z0-9]{1,5}$/, '').replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  const kept = [...words]
    .slice(0, NAME_CHARS)
    .join('')
    .replaceAll(/^-+|-+$/g, '');
  return kept === '' ? 'image' : kept;
}
