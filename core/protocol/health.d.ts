import { z } from 'zod';
/** One thing that first start found, or did not find, and how (onboarding). */
export declare const Finding: z.ZodObject<
  {
    id: z.ZodString;
    kind: z.ZodEnum<{
      agent: 'agent';
      provider_key: 'provider_key';
      local_server: 'local_server';
    }>;
    name: z.ZodString;
    found: z.ZodBoolean;
    detail: z.ZodString;
    models: z.ZodArray<z.ZodString>;
  },
  z.core.$strip
>;
export type Finding = z.infer<typeof Finding>;
/** One thing that was looked at. */
export declare const HealthCheck: z.ZodObject<
  {
    name: z.ZodString;
    ok: z.ZodBoolean;
    detail: z.ZodString;
  },
  z.core.$strip
>;
export type HealthCheck = z.infer<typeof HealthCheck>;
