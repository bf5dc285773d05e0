import { z } from 'zod';
import { GcReport } from '../gc.ts';
import { Finding, HealthCheck } from '../health.ts';
import { ListenInput } from '../listen.ts';
import { AppRow } from '../rows.ts';
import { Done, base } from './base.ts';
import { DispatchAnswer } from './dispatch.ts';

export const app = {
  info: base.output(AppRow),
  /** Compares protocol versions (D2). */
  hello: base.input(z.object({ protocol: z.number().int(), client: z.string() })).output(
    z.object({
      protocol: z.number().int(),
      version: z.string(),
      boot: z.string(),
      home: z.string(),
      pid: z.number().int(),
    }),
  ),
  /** What is here, and what is wrong with it: the core, its PATH, agents, providers. Takes seconds. */
  doctor: base.output(z.object({ checks: z.array(HealthCheck) })),
  /** Asks the hosting core to open its HTTP listener, and answers its URL with the token in the fragment. */
  listen: base.input(ListenInput).output(z.object({ url: z.string() })),
};

export const onboarding = {
  detect: base.output(z.array(Finding)),
  /** Takes a finding into the settings as provider and default model. */
  use: base.input(z.object({ finding_id: z.string(), model: z.string().nullable() })).output(Done),
  /** Makes a scratch project and runs the demo batch on the scripted model that ships with the app. */
  demo: base.output(DispatchAnswer.extend({ project_id: z.string() })),
};

export const storage = {
  /** Deletes what was made by us and provably need not be kept; with `dry_run` only says what that would be. */
  gc: base.input(z.object({ dry_run: z.boolean() })).output(GcReport),
};
