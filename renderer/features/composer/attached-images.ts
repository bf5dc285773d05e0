import { MAX_IMAGE_BYTES, MAX_IMAGES } from '../../../core/protocol/images.ts';
import { core, describeFailure } from '../../app/client.ts';
import { ui, useUi } from '../../app/ui-store.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { workStrings } from '../../shared/work-strings.ts';
import { toastError } from '../../ui/toast.tsx';
import { imagesIn, type AttachedImage } from './image-draft.ts';

const words = workStrings.composer;

/** The images of a draft are kept beside its text. */
const keyOf = (place: string): string => `images:${place}`;

export const useAttachedImages = (place: string): readonly AttachedImage[] =>
  imagesIn(useUi((state) => state.drafts[keyOf(place)] ?? ''));

function keep(place: string, images: readonly AttachedImage[]): void {
  ui.keepDraft(keyOf(place), images.length === 0 ? '' : JSON.stringify(images));
}

export const forgetImages = (place: string): void => keep(place, []);

const attached = (place: string): readonly AttachedImage[] => imagesIn(useUi.getState().drafts[keyOf(place)] ?? '');

export function removeImage(place: string, path: string): void {
  keep(
    place,
    attached(place).filter((image) => image.path !== path),
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

function refuse(name: string, why: string): void {
  const shown = visibleText(name);
  toastError(words.notAttached(shown), why, `${shown}\n${why}`);
}

/** Hands images to the core, one after the other, and keeps them with the draft of a place. */
export async function attachImages(place: string, projectId: string, files: readonly File[]): Promise<void> {
  for (const file of files) {
    const name = file.name === '' ? words.pasted : file.name;
    if (attached(place).length >= MAX_IMAGES) refuse(name, words.tooMany(MAX_IMAGES));
    else if (file.size > MAX_IMAGE_BYTES) refuse(name, words.tooLarge);
    else {
      try {
        const { path, bytes } = await core.images.save({ project_id: projectId, name, base64: await base64Of(file) });
        keep(place, [...attached(place), { path, name, bytes }]);
      } catch (error) {
        refuse(name, describeFailure(error).message);
      }
    }
  }
}
