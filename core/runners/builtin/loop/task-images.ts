import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { ImagePart, TextPart } from '../../../providers/messages/message.ts';
import { fileKind } from '../tools/file-kind.ts';

const LARGEST = 5 * 1024 * 1024;
const DATA_URL = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/;

/** The images of a task as parts of its first message. One that cannot be shown is named instead; it never fails the task. */
export async function taskImages(images: readonly string[], workspace: string): Promise<(TextPart | ImagePart)[]> {
  const parts = await Promise.all(images.map((image) => onePart(image, workspace)));
  return parts.flat();
}

async function onePart(image: string, workspace: string): Promise<(TextPart | ImagePart)[]> {
  const [, mediaType, base64] = DATA_URL.exec(image) ?? [];
  if (mediaType !== undefined && base64 !== undefined) return [{ type: 'image', mediaType, base64 }];
  const name = basename(image.slice(0, 200));
  const loaded = await load(resolve(workspace, image));
  if (typeof loaded === 'string') return [{ type: 'text', text: `[The image ${name} could not be shown: ${loaded}]` }];
  return [{ type: 'text', text: `Image ${name}:` }, loaded];
}

/** The image, or why it cannot be shown. Only what is an image by its bytes is read. */
async function load(path: string): Promise<ImagePart | string> {
  try {
    const file = await stat(path);
    const { size } = file;
    if (!file.isFile()) return 'it is no regular file';
    if (size > LARGEST) return `it has ${size} bytes, at most ${LARGEST} can be shown`;
    const bytes = await readFile(path);
    const kind = fileKind(bytes);
    if (kind.type !== 'image') return 'it is no PNG, JPEG, GIF or WebP image';
    return { type: 'image', mediaType: kind.mediaType, base64: bytes.toString('base64') };
  } catch (cause) {
    return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  }
}
