/** An image that goes along with a message, as it is kept by the core. */
export interface AttachedImage {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
}

const isImage = (value: unknown): value is AttachedImage =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  typeof value.path === 'string' &&
  'name' in value &&
  typeof value.name === 'string' &&
  'bytes' in value &&
  typeof value.bytes === 'number';

/** The images of a kept draft; what is not one of this build is none. */
export function imagesIn(draft: string): readonly AttachedImage[] {
  if (draft === '') return [];
  try {
    const kept: unknown = JSON.parse(draft);
    return Array.isArray(kept) ? kept.filter(isImage) : [];
  } catch {
    return []; // Not ours.
  }
}
