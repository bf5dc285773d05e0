import { z } from 'zod';
import { Verdict } from './outcome.ts';
import { EndProof, ProcessName, Progress } from './report.ts';
import { ResultEntry, SetStatus, Totals } from './result-entry.ts';
import { AskRow, ConversationRow, ProjectRow, RunRow, SetRow, SteerRow, SteerState } from './rows.ts';
import { RunState, WaitReason } from './lifecycle.ts';
import { Price } from './usage.ts';
import { RunWorktree } from './worktree.ts';

/**
 * What happened in a project, as it is stored for ever. Every type and version has a sample in `samples/`; a decoder that
 * meets a type it does not know keeps it as it is (T7).
 */
export const DomainEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('conversation_created'), v: z.literal(1), row: ConversationRow }),
  z.object({
    type: z.literal('conversation_changed'),
    v: z.literal(1),
    conversation_id: z.string(),
    title: z.string().optional(),
    archived: z.boolean().optional(),
    lead_run_id: z.string().optional(),
    scripted: z.boolean().optional(),
    paused: z.boolean().optional(),
  }),
  z.object({ type: z.literal('conversation_removed'), v: z.literal(1), conversation_id: z.string() }),
  /** A dispatch, tasks added to a set, or a set that goes on after its end: the set's row as it now is, and one row per new run. */
  z.object({ type: z.literal('set_dispatched'), v: z.literal(1), set: SetRow }),
  z.object({ type: z.literal('run_queued'), v: z.literal(1), run: RunRow }),
  z.object({
    type: z.literal('run_moved'),
    v: z.literal(1),
    run_id: z.string(),
    from: RunState,
    to: RunState,
    reason: WaitReason.nullable(),
    until: z.number().nullable(),
    /** It comes to this without a place, which its state would hold (R1). */
    placeless: z.boolean().optional(),
  }),
  z.object({
    type: z.literal('attempt_started'),
    v: z.literal(1),
    run_id: z.string(),
    attempt_id: z.string(),
    n: z.number().int(),
    /** Number of its first transcript entry: the worker counts from 0, the run from its own beginning. */
    first_entry: z.number().int().nonnegative(),
    /** Prices at the start of the run, for all its attempts (R6). */
    prices: z.record(z.string(), Price.nullable()).optional(),
    /** Time that the run has in all, and whose limit that is (R7). */
    deadline: z.object({ seconds: z.number(), of: z.string().nullable() }).nullable().optional(),
  }),
  z.object({
    type: z.literal('attempt_connected'),
    v: z.literal(1),
    run_id: z.string(),
    attempt_id: z.string(),
    pid: z.number().int(),
  }),
  z.object({
    type: z.literal('attempt_ended'),
    v: z.literal(1),
    run_id: z.string(),
    attempt_id: z.string(),
    proof: EndProof,
    survivors: z.array(ProcessName),
  }),
  /** A person ended what had survived a run; `survivors` are still there. */
  z.object({
    type: z.literal('survivors_ended'),
    v: z.literal(1),
    run_id: z.string(),
    survivors: z.array(ProcessName),
  }),
  /** The attempt may spend until its run has used so much in all; null is no limit. It takes the place of an earlier hold (R5). */
  z.object({
    type: z.literal('hold_taken'),
    v: z.literal(1),
    run_id: z.string(),
    attempt_id: z.string(),
    cost_usd: z.number().nullable(),
    tokens: z.number().int().nullable(),
  }),
  /** A run that only waits holds nothing; the end of an attempt ends its hold too. */
  z.object({ type: z.literal('hold_released'), v: z.literal(1), run_id: z.string() }),
  /** Nothing has happened in the run for some time, or something does again (R7). */
  z.object({ type: z.literal('run_idle'), v: z.literal(1), run_id: z.string(), since: z.number().nullable() }),
  z.object({ type: z.literal('run_progressed'), v: z.literal(1), run_id: z.string(), progress: Progress }),
  z.object({
    type: z.literal('run_ended'),
    v: z.literal(1),
    run_id: z.string(),
    verdict: Verdict,
    words: z.string(),
    failure_text: z.string().nullable(),
    failure_line: z.string().nullable(),
    advice: z.string().nullable(),
    summary: z.string(),
    result: ResultEntry,
  }),
  z.object({ type: z.literal('run_retried'), v: z.literal(1), run_id: z.string(), by: z.string() }),
  /** The run's worktree was made, measured, or dealt with after its end. */
  z.object({ type: z.literal('worktree_changed'), v: z.literal(1), run_id: z.string(), worktree: RunWorktree }),
  z.object({ type: z.literal('run_continued'), v: z.literal(1), run_id: z.string(), by: z.string() }),
  /** The gate of a run or set was closed or opened (R9); that of a conversation changes with the conversation. */
  z.object({ type: z.literal('run_paused'), v: z.literal(1), run_id: z.string(), paused: z.boolean() }),
  z.object({ type: z.literal('set_paused'), v: z.literal(1), delegation_id: z.string(), paused: z.boolean() }),
  z.object({ type: z.literal('run_seen'), v: z.literal(1), run_id: z.string() }),
  z.object({
    type: z.literal('set_ended'),
    v: z.literal(1),
    delegation_id: z.string(),
    status: SetStatus,
    totals: Totals,
  }),
  z.object({ type: z.literal('steer_sent'), v: z.literal(1), row: SteerRow }),
  z.object({ type: z.literal('steer_moved'), v: z.literal(1), steer_id: z.string(), state: SteerState }),
  z.object({ type: z.literal('ask_opened'), v: z.literal(1), key: z.string(), row: AskRow }),
  z.object({
    type: z.literal('ask_settled'),
    v: z.literal(1),
    ask_id: z.string(),
    state: z.enum(['answered', 'closed']),
    choice: z.string().nullable(),
    note: z.string().nullable(),
    by: z.string().nullable(),
  }),
  /** A call of a run to the core was taken up; its answer may come much later (P7). */
  z.object({
    type: z.literal('call_opened'),
    v: z.literal(1),
    run_id: z.string(),
    call_id: z.string(),
    tool: z.string(),
    arguments: z.unknown(),
    context_chars: z.number().int().nonnegative().optional(),
    /** The turn of the run in which it was made (R3). */
    turn: z.number().int().nonnegative().optional(),
  }),
  z.object({
    type: z.literal('call_answered'),
    v: z.literal(1),
    run_id: z.string(),
    call_id: z.string(),
    is_error: z.boolean(),
    text: z.string(),
  }),
  /** A set's result, or news of it, waits for its owner (P2). */
  z.object({
    type: z.literal('delivery_queued'),
    v: z.literal(1),
    /** Its result, unless it says that it is early word of a failure (P3). */
    kind: z.enum(['result', 'notice']).optional(),
    delivery_id: z.string(),
    conversation_id: z.string(),
    delegation_id: z.string(),
    to_run_id: z.string(),
    text: z.string(),
  }),
  z.object({ type: z.literal('delivery_done'), v: z.literal(1), delivery_id: z.string(), by_run_id: z.string() }),
  z.object({ type: z.literal('project_attached'), v: z.literal(1), row: ProjectRow }),
]);
export type DomainEvent = z.infer<typeof DomainEvent>;

/** An event as it is stored: what a newer build has written stays readable as it is (T7). */
export const StoredEvent = z.union([DomainEvent, z.looseObject({ type: z.string() })]);
export type StoredEvent = z.infer<typeof StoredEvent>;
