import { MAX_IMAGE_BYTES, type SavedImage } from '../../core/protocol/images.ts';
import { workStrings } from '../shared/work-strings.ts';
import { core, describeFailure } from './client.ts';

const words = workStrings.composer;

/** The images among what was pasted or dropped; null when something else is with them, which is somebody else's to take. */
export function onlyImages(files: readonly File[]): readonly File[] | null {
  return files.length > 0 && files.every(({ type }) => type.startsWith('image/')) ? files : null;
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

/** What a pasted image is called: its file's name, where it has one. */
export const imageName = (file: File): string => (file.name === '' ? words.pasted : file.name);

/** Hands an image to the core, which keeps it; answers why not, in words. */
export async function saveImage(project_id: string, file: File): Promise<SavedImage | string> {
  if (file.size > MAX_IMAGE_BYTES) return words.tooLarge;
  try {
    return await core.images.save({ project_id, name: imageName(file), base64: await base64Of(file) });
  } catch (error) {
    return describeFailure(error).message;
  }
}
