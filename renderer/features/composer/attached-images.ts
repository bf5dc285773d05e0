import { MAX_IMAGES } from '../../../core/protocol/images.ts';
import { imageName, saveImage } from '../../app/image-files.ts';
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

function refuse(name: string, why: string): void {
  const shown = visibleText(name);
  toastError(words.notAttached(shown), why, `${shown}\n${why}`);
}

/** Hands images to the core, one after the other, and keeps them with the draft of a place. */
export async function attachImages(place: string, projectId: string, files: readonly File[]): Promise<void> {
  for (const file of files) {
    const name = imageName(file);
    if (attached(place).length >= MAX_IMAGES) {
      refuse(name, words.tooMany(MAX_IMAGES));
      continue;
    }
    const saved = await saveImage(projectId, file);
    if (typeof saved === 'string') refuse(name, saved);
    else keep(place, [...attached(place), { path: saved.path, name, bytes: saved.bytes }]);
  }
}
