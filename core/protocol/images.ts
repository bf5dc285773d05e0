import { z } from 'zod';

/** Bytes that an image may have to be kept and shown to a model. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
/** Images of one task or message. */
export const MAX_IMAGES = 8;

/** An image as a client hands it over. */
export const ImageInput = z.object({
  project_id: z.string(),
  /** Its file's name; what a file name cannot hold is left out. */
  name: z.string().max(1000),
  base64: z
    .string()
    .min(1)
    .max(Math.ceil(MAX_IMAGE_BYTES / 3) * 4 + 4),
});
export type ImageInput = z.infer<typeof ImageInput>;

/** An image that is kept: its path goes into `images` of a task or message. */
export const SavedImage = z.object({ path: z.string(), bytes: z.number().int(), media_type: z.string() });
export type SavedImage = z.infer<typeof SavedImage>;
