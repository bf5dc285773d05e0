import { z } from 'zod';

const hexId = <B extends string>(prefix: string, length: number, brand: B) =>
  z
    .string()
    .regex(
      new RegExp(`^${prefix}_[0-9a-f]{${length}}$`),
      `expected ${prefix}_ and ${length} hexadecimal characters (${brand})`,
    )
    .brand<B>();

/** A local folder that the user attached. */
export const ProjectId = hexId('proj', 12, 'ProjectId');
export type ProjectId = z.infer<typeof ProjectId>;

/** One delegation tree. */
export const ConversationId = hexId('conv', 12, 'ConversationId');
export type ConversationId = z.infer<typeof ConversationId>;

/** One delegation, shown as `set N`. */
export const DelegationId = hexId('deleg', 8, 'DelegationId');
export type DelegationId = z.infer<typeof DelegationId>;

/** One execution of a task, or the lead. */
export const RunId = hexId('run', 12, 'RunId');
export type RunId = z.infer<typeof RunId>;

/** One worker process spent on a run. */
export const AttemptId = hexId('att', 12, 'AttemptId');
export type AttemptId = z.infer<typeof AttemptId>;

/** An open permission or question. */
export const AskId = hexId('ask', 12, 'AskId');
export type AskId = z.infer<typeof AskId>;

/** One steering message. */
export const SteerId = hexId('steer', 12, 'SteerId');
export type SteerId = z.infer<typeof SteerId>;
