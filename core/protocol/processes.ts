import { z } from 'zod';
import { ProcessName } from './report.ts';

/** One process of a run that is at work, and what it uses now. */
export const ProcessUse = z.object({
  pid: z.number().int(),
  ppid: z.number().int(),
  /** Command line, shortened, without known secrets. */
  command: z.string(),
  /** Resident bytes, shared pages counted in full. */
  rss_bytes: z.number(),
  /** Shared pages divided among their users; null where it cannot be read. */
  pss_bytes: z.number().nullable(),
  /** Processor time of itself and of the children it has waited for. */
  cpu_seconds: z.number(),
  /** Epoch ms, to about a second. */
  started_at: z.number(),
});
export type ProcessUse = z.infer<typeof ProcessUse>;

/** One try to carry a run out: one worker. */
export const AttemptView = z.object({
  attempt_id: z.string(),
  n: z.number().int(),
  state: z.string(),
  started_at: z.number(),
  ended_at: z.number().nullable(),
  pid: z.number().int().nullable(),
});
export type AttemptView = z.infer<typeof AttemptView>;

/** What of the machine belongs to a run. */
export const RunProcesses = z.object({
  /** When it was measured, epoch ms. */
  at: z.number(),
  attempts: z.array(AttemptView),
  /** Of the live attempt; empty where the platform does not tell, null without a live attempt. */
  processes: z.array(ProcessUse).nullable(),
  /** What was left when an attempt ended, and whether the very process is still there; null where nobody can tell. */
  survivors: z.array(ProcessName.pick({ pid: true, command: true }).extend({ alive: z.boolean().nullable() })),
});
export type RunProcesses = z.infer<typeof RunProcesses>;

const Named = ProcessName.pick({ pid: true, command: true });

/** What became of survivors that a person wanted ended. */
export const SurvivorsReceipt = z.object({
  /** Ended by this, with what they had started. */
  ended: z.array(Named),
  /** Were not there any more, or another program has their pid now. */
  gone: z.array(Named),
  /** Still run, in spite of SIGKILL. */
  survivors: z.array(Named),
  /** Not signalled: nobody can tell whether they are still the same processes. */
  untouched: z.array(Named),
});
export type SurvivorsReceipt = z.infer<typeof SurvivorsReceipt>;
