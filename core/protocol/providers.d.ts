import { z } from 'zod';
/** Where the key of a provider comes from: never the key itself. */
export declare const KeyOrigin: z.ZodObject<
  {
    variables: z.ZodArray<z.ZodString>;
    variable: z.ZodNullable<z.ZodString>;
    from: z.ZodEnum<{
      app: 'app';
      missing: 'missing';
      environment: 'environment';
      not_needed: 'not_needed';
    }>;
  },
  z.core.$strip
>;
export type KeyOrigin = z.infer<typeof KeyOrigin>;
/** A provider that can be named in `<provider>/<model>`. */
export declare const ProviderListed: z.ZodObject<
  {
    id: z.ZodString;
    label: z.ZodString;
    kind: z.ZodEnum<{
      anthropic: 'anthropic';
      openai: 'openai';
      'openai-compatible': 'openai-compatible';
      google: 'google';
    }>;
    own: z.ZodBoolean;
    base_url: z.ZodNullable<z.ZodString>;
    key: z.ZodObject<
      {
        variables: z.ZodArray<z.ZodString>;
        variable: z.ZodNullable<z.ZodString>;
        from: z.ZodEnum<{
          app: 'app';
          missing: 'missing';
          environment: 'environment';
          not_needed: 'not_needed';
        }>;
      },
      z.core.$strip
    >;
  },
  z.core.$strip
>;
export type ProviderListed = z.infer<typeof ProviderListed>;
/** One thing that a connection test looked at; `unknown` is neither good nor bad, and `words` say why. */
export declare const ProviderCheck: z.ZodObject<
  {
    about: z.ZodEnum<{
      model: 'model';
      key: 'key';
      address: 'address';
    }>;
    state: z.ZodEnum<{
      unknown: 'unknown';
      ok: 'ok';
      bad: 'bad';
    }>;
    words: z.ZodString;
  },
  z.core.$strip
>;
export type ProviderCheck = z.infer<typeof ProviderCheck>;
/** What a connection test has shown. */
export declare const ProviderTest: z.ZodObject<
  {
    id: z.ZodString;
    ok: z.ZodBoolean;
    checks: z.ZodArray<
      z.ZodObject<
        {
          about: z.ZodEnum<{
            model: 'model';
            key: 'key';
            address: 'address';
          }>;
          state: z.ZodEnum<{
            unknown: 'unknown';
            ok: 'ok';
            bad: 'bad';
          }>;
          words: z.ZodString;
        },
        z.core.$strip
      >
    >;
    advice: z.ZodNullable<z.ZodString>;
    took: z.ZodNumber;
  },
  z.core.$strip
>;
export type ProviderTest = z.infer<typeof ProviderTest>;
/** A model of a provider, with what is known of it. */
export declare const ModelListed: z.ZodObject<
  {
    ref: z.ZodString;
    model: z.ZodString;
    listed: z.ZodNullable<z.ZodBoolean>;
    own: z.ZodBoolean;
    context_window: z.ZodNullable<z.ZodNumber>;
    max_output: z.ZodNullable<z.ZodNumber>;
    price: z.ZodNullable<
      z.ZodObject<
        {
          input: z.ZodNumber;
          cachedInput: z.ZodOptional<z.ZodNumber>;
          cacheWrite: z.ZodOptional<z.ZodNumber>;
          output: z.ZodNumber;
        },
        z.core.$strip
      >
    >;
    price_from: z.ZodNullable<
      z.ZodEnum<{
        settings: 'settings';
        table: 'table';
      }>
    >;
  },
  z.core.$strip
>;
export type ModelListed = z.infer<typeof ModelListed>;
/** The models of one provider. */
export declare const ProviderModels: z.ZodObject<
  {
    models: z.ZodArray<
      z.ZodObject<
        {
          ref: z.ZodString;
          model: z.ZodString;
          listed: z.ZodNullable<z.ZodBoolean>;
          own: z.ZodBoolean;
          context_window: z.ZodNullable<z.ZodNumber>;
          max_output: z.ZodNullable<z.ZodNumber>;
          price: z.ZodNullable<
            z.ZodObject<
              {
                input: z.ZodNumber;
                cachedInput: z.ZodOptional<z.ZodNumber>;
                cacheWrite: z.ZodOptional<z.ZodNumber>;
                output: z.ZodNumber;
              },
              z.core.$strip
            >
          >;
          price_from: z.ZodNullable<
            z.ZodEnum<{
              settings: 'settings';
              table: 'table';
            }>
          >;
        },
        z.core.$strip
      >
    >;
    problem: z.ZodNullable<z.ZodString>;
  },
  z.core.$strip
>;
export type ProviderModels = z.infer<typeof ProviderModels>;
/** The prices that ship with the app, by vendor. */
export declare const PriceTable: z.ZodArray<
  z.ZodObject<
    {
      provider: z.ZodString;
      label: z.ZodString;
      source: z.ZodString;
      checked: z.ZodString;
      models: z.ZodArray<
        z.ZodObject<
          {
            model: z.ZodString;
            price: z.ZodNullable<
              z.ZodObject<
                {
                  input: z.ZodNumber;
                  cachedInput: z.ZodOptional<z.ZodNumber>;
                  cacheWrite: z.ZodOptional<z.ZodNumber>;
                  output: z.ZodNumber;
                },
                z.core.$strip
              >
            >;
          },
          z.core.$strip
        >
      >;
    },
    z.core.$strip
  >
>;
export type PriceTable = z.infer<typeof PriceTable>;
/** Name of a variable that holds a key. */
export declare const KeyVariable: z.ZodString;
/** The file in which the core keeps keys where there is no keychain, by explicit choice. */
export declare const KeptKeys: z.ZodObject<
  {
    path: z.ZodString;
    names: z.ZodArray<z.ZodString>;
    problem: z.ZodNullable<z.ZodString>;
  },
  z.core.$strip
>;
export type KeptKeys = z.infer<typeof KeptKeys>;
