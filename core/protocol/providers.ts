import { z } from 'zod';
import { ProviderSettings } from './settings.ts';
import { Price } from './usage.ts';

/** Where the key of a provider comes from: never the key itself. */
export const KeyOrigin = z.object({
  /** Variables that may hold it, the first that is set counts; none for a provider without a key. */
  variables: z.array(z.string()),
  /** The variable that holds it now; null when it is missing, or none is needed. */
  variable: z.string().nullable(),
  /** `app`: kept by the app, in the keychain or in its key file. */
  from: z.enum(['environment', 'app', 'missing', 'not_needed']),
});
export type KeyOrigin = z.infer<typeof KeyOrigin>;

/** A provider that can be named in `<provider>/<model>`. */
export const ProviderListed = z.object({
  id: z.string(),
  label: z.string(),
  kind: ProviderSettings.shape.kind,
  /** In the settings; one that is not is known without. */
  own: z.boolean(),
  base_url: z.string().nullable(),
  key: KeyOrigin,
});
export type ProviderListed = z.infer<typeof ProviderListed>;

/** One thing that a connection test looked at; `unknown` is neither good nor bad, and `words` say why. */
export const ProviderCheck = z.object({
  about: z.enum(['address', 'key', 'model']),
  state: z.enum(['ok', 'bad', 'unknown']),
  words: z.string(),
});
export type ProviderCheck = z.infer<typeof ProviderCheck>;

/** What a connection test has shown. */
export const ProviderTest = z.object({
  id: z.string(),
  /** Nothing is bad. */
  ok: z.boolean(),
  checks: z.array(ProviderCheck),
  /** What to do, when something is bad. */
  advice: z.string().nullable(),
  /** Milliseconds. */
  took: z.number(),
});
export type ProviderTest = z.infer<typeof ProviderTest>;

/** A model of a provider, with what is known of it. */
export const ModelListed = z.object({
  ref: z.string(),
  model: z.string(),
  /** Whether the endpoint lists it; null when there is no list. */
  listed: z.boolean().nullable(),
  /** Whether the settings name it. */
  own: z.boolean(),
  /** Tokens. */
  context_window: z.number().nullable(),
  /** Tokens. */
  max_output: z.number().nullable(),
  price: Price.nullable(),
  price_from: z.enum(['settings', 'table']).nullable(),
});
export type ModelListed = z.infer<typeof ModelListed>;

/** The models of one provider. */
export const ProviderModels = z.object({
  models: z.array(ModelListed),
  /** Why there is no list of the endpoint, in words; null when there is one. */
  problem: z.string().nullable(),
});
export type ProviderModels = z.infer<typeof ProviderModels>;

/** The prices that ship with the app, by vendor. */
export const PriceTable = z.array(
  z.object({
    provider: z.string(),
    label: z.string(),
    /** The page that they are from. */
    source: z.string(),
    /** The day when they were last compared with it. */
    checked: z.string(),
    models: z.array(z.object({ model: z.string(), price: Price.nullable() })),
  }),
);
export type PriceTable = z.infer<typeof PriceTable>;

/** Variables that tell programs what to load or where to look are no keys: a page that was taken over must not set them for the core. */
const NO_KEY =
  /^(?:PATH|HOME|SHELL|USER|IFS|ENV|TMPDIR|TEMP|TMP|(?:LD|DYLD|NODE|NPM|GIT|ELECTRON|ESPALIER|PYTHON|BASH|XDG)_.*)$/i;

/** Name of a variable that holds a key. */
export const KeyVariable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/)
  .refine((name) => !NO_KEY.test(name), 'is no name of a key');

/** The file in which the core keeps keys where there is no keychain, by explicit choice. */
export const KeptKeys = z.object({
  path: z.string(),
  /** Variables that it holds a key for. */
  names: z.array(z.string()),
  /** Why it cannot be used, in words. */
  problem: z.string().nullable(),
});
export type KeptKeys = z.infer<typeof KeptKeys>;
