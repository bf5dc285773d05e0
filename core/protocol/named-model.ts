import { z } from 'zod';
import { Price } from './usage.ts';

/** A model that can be named for a run. */
export const NamedModel = z.object({
  /** `<provider id>/<model>`. */
  ref: z.string(),
  priced: z.boolean(),
  /** USD per million tokens; null is unknown. */
  price: Price.nullable(),
  has_key: z.boolean(),
  /** What runs while nobody says otherwise. */
  is_default: z.boolean(),
});
export type NamedModel = z.infer<typeof NamedModel>;
