import { z } from 'zod';
import { Entry, EntryMeta } from './entry.ts';
import { AppRow, AskRow, ConversationRow, ProjectRow, RunRow, SetRow, SteerRow } from './rows.ts';

/** What a client wants to be told of. `app` is everything the sidebar and inbox show. */
export const Scope = z.discriminatedUnion('type', [
  z.object({ type: z.literal('app') }),
  z.object({ type: z.literal('conversation'), conversation_id: z.string() }),
  z.object({ type: z.literal('transcript'), run_id: z.string() }),
]);
export type Scope = z.infer<typeof Scope>;

/** One change of a row or transcript; rows are whole, so applying one twice changes nothing. */
export const Change = z.discriminatedUnion('type', [
  z.object({ type: z.literal('app'), row: AppRow }),
  z.object({ type: z.literal('project'), row: ProjectRow }),
  z.object({ type: z.literal('conversation'), row: ConversationRow }),
  z.object({ type: z.literal('set'), row: SetRow }),
  z.object({ type: z.literal('run'), row: RunRow }),
  z.object({ type: z.literal('ask'), row: AskRow }),
  z.object({ type: z.literal('steer'), row: SteerRow }),
  /** A new or replaced transcript entry, whole. */
  z.object({ type: z.literal('entry'), entry: Entry }),
  /** Text to put at `offset` of an open entry. */
  z.object({
    type: z.literal('delta'),
    run_id: z.string(),
    entry: z.number().int(),
    offset: z.number().int(),
    text: z.string(),
  }),
  z.object({ type: z.literal('entry_meta'), run_id: z.string(), entry: z.number().int(), meta: EntryMeta }),
  /** Nothing follows in the entry: its text is whole as it was told. */
  z.object({ type: z.literal('entry_end'), run_id: z.string(), entry: z.number().int() }),
  z.object({ type: z.literal('removed'), what: z.enum(['project', 'conversation']), id: z.string() }),
]);
export type Change = z.infer<typeof Change>;

/** Everything of one scope at one revision. */
export const Snapshot = z.object({
  scope: Scope,
  app: AppRow.nullable(),
  projects: z.array(ProjectRow),
  conversations: z.array(ConversationRow),
  sets: z.array(SetRow),
  runs: z.array(RunRow),
  asks: z.array(AskRow),
  steers: z.array(SteerRow),
  /** The tail of the transcript; earlier pages come from `transcript.page`. */
  entries: z.array(Entry),
  /** Number of entries of the transcript. */
  entry_count: z.number().int().nonnegative(),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** What a live subscription carries. Revisions belong to one boot of the core. */
export const FeedMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), subscription_id: z.string(), boot: z.string(), rev: z.number().int() }),
  /** Replaces everything of its scope; sent at the start, and in place of changes that were dropped for a slow client. */
  z.object({ type: z.literal('snapshot'), rev: z.number().int(), snapshot: Snapshot }),
  z.object({ type: z.literal('changes'), rev: z.number().int(), changes: z.array(Change) }),
]);
export type FeedMessage = z.infer<typeof FeedMessage>;

/** Bytes of changes that may be under way to a client before it must acknowledge (DESIGN, Engine). */
export const MAX_UNACKNOWLEDGED_BYTES = 256 * 1024;
/** Milliseconds after which the changes for a silent client are dropped for a snapshot. */
export const SLOW_CLIENT_MS = 1000;
