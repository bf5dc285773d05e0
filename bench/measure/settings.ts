/** Settings of a core whose workers never ask a model. */
export const NO_MODEL_SETTINGS = {
  providers: { bench: { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' } },
  defaultModel: 'bench/none',
  permission: 'auto',
  limits: { concurrency: 256, concurrencyPerSet: 256 },
} as const;
