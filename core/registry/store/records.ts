import type { Task } from '../../protocol/batch.ts';
import type { DomainEvent } from '../../protocol/events.ts';
import type { Progress, RunReport } from '../../protocol/report.ts';
import type { ResultEntry } from '../../protocol/result-entry.ts';
import type { AskRow, ConversationRow, RunRow, SetRow, SteerRow } from '../../protocol/rows.ts';
import type { Worktree } from '../../protocol/worktree.ts';
import type { Closing } from '../../runs/closing.ts';

/** A run with everything that is stored of it. */
export interface RunRecord {
  readonly row: RunRow;
  readonly task: Task;
  readonly result: ResultEntry | null;
  readonly report: RunReport | null;
  readonly once: boolean;
  readonly session: unknown;
  /** What a lead has answered last, as a report. */
  readonly answered: RunReport | null;
  /** What earlier attempts have used, and where the present one's transcript begins; null before the second attempt. */
  readonly carried: { readonly progress: Progress; readonly first_entry: number } | null;
  /** The worktree that was made for it, from before its worker started. */
  readonly worktree: Worktree | null;
  readonly closing: Closing | null;
}

/** A call of a run to the core. */
export interface StoredCall {
  readonly run_id: string;
  readonly call_id: string;
  readonly tool: string;
  readonly arguments: unknown;
  /** So many characters fitted into the caller's context (P5). */
  readonly context_chars: number | null;
  /** The turn of the caller in which it was made (R3). */
  readonly turn: number | null;
  readonly delegation_id: string | null;
  readonly answer: { readonly is_error: boolean; readonly text: string } | null;
}

/** A set's result on its way to its owner. */
export interface StoredDelivery {
  readonly delivery_id: string;
  readonly delegation_id: string;
  readonly to_run_id: string;
  readonly kind: 'result' | 'notice';
  readonly text: string;
  readonly done: boolean;
}

/** What the attempt of a run may spend, until the run has used so much in all; null is no limit (R5). */
export interface StoredHold {
  readonly run_id: string;
  readonly attempt_id: string;
  readonly cost_usd: number | null;
  readonly tokens: number | null;
}

/** What the runs of a conversation have used on a local calendar day (R5). */
export interface StoredUsage {
  readonly day: string;
  readonly conversation_id: string;
  /** What is known of it. */
  readonly cost_usd: number;
  readonly unknown: boolean;
  readonly tokens: number;
}

/** One worker process spent on a run; the plain token and secret are never stored. */
export interface AttemptRecord {
  readonly attempt_id: string;
  readonly run_id: string;
  readonly n: number;
  readonly state: 'started' | 'connected' | 'ended';
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly token_hash: string;
  readonly secret_hash: string | null;
  readonly pid: number | null;
  readonly pid_started: string | null;
  readonly committed_seq: number;
}

/** What one flush writes of one transcript entry. */
export interface EntryWrite {
  readonly run_id: string;
  readonly entry: number;
  readonly at: number;
  /** JSON of the meta; null when it did not change. */
  readonly meta: string | null;
  /** The row does not exist yet. */
  readonly isNew: boolean;
  /** Text appended since the last flush; null for none, and when `text` says it all. */
  readonly chunk: { readonly offset: number; readonly text: string } | null;
  /** The whole text of an entry that ended with this flush. */
  readonly text: string | null;
}

/** All rows of one transaction. Writing it twice gives the same database. */
export interface StoreWrite {
  readonly at: number;
  readonly events: readonly { readonly conversation_id: string | null; readonly event: DomainEvent }[];
  readonly conversations: readonly ConversationRow[];
  readonly removedConversations: readonly string[];
  readonly sets: readonly SetRow[];
  readonly runs: readonly RunRecord[];
  readonly attempts: readonly AttemptRecord[];
  /** Last committed sequence by attempt. */
  readonly committed: ReadonlyMap<string, number>;
  readonly steers: readonly SteerRow[];
  readonly asks: readonly { readonly key: string; readonly row: AskRow }[];
  readonly calls: readonly StoredCall[];
  readonly deliveries: readonly {
    readonly conversation_id: string;
    readonly at: number;
    readonly delivery: StoredDelivery;
  }[];
  /** Holds as they now are; null is none any more. */
  readonly holds: readonly {
    readonly run_id: string;
    readonly conversation_id: string;
    readonly hold: StoredHold | null;
  }[];
  readonly usage: readonly StoredUsage[];
  readonly entries: readonly EntryWrite[];
  readonly receipts: readonly { readonly client_token: string; readonly answer: unknown }[];
  readonly grants: readonly Grant[];
  /** Consent that is taken back. */
  readonly revoked: readonly Grant[];
  readonly outboxAdded: readonly OutboxRecord[];
  readonly outboxDone: readonly number[];
}

/** An effect that is to happen after its commit, until it is done. */
export interface OutboxRecord {
  readonly effect_id: number;
  readonly type: string;
  /** What it acts on: a run id, or a run and call id. */
  readonly key: string;
  readonly body: unknown;
  /** Boot id of the core that took it up, and until when, epoch milliseconds. */
  readonly lease: string;
  readonly leased_until: number;
}

/** Consent beyond one call (A2). `detail` is the exact command or path; `*` stands for every call of the tool. */
export interface Grant {
  readonly scope: 'run' | 'set' | 'project';
  readonly scope_id: string;
  readonly tool: string;
  readonly detail: string;
}

/** Everything stored of one conversation. */
export interface StoredConversation {
  readonly conversation: ConversationRow;
  readonly sets: readonly SetRow[];
  readonly runs: readonly RunRecord[];
  readonly attempts: readonly AttemptRecord[];
  readonly steers: readonly SteerRow[];
  readonly asks: readonly { readonly key: string; readonly row: AskRow }[];
  readonly calls: readonly StoredCall[];
  readonly deliveries: readonly StoredDelivery[];
  readonly holds: readonly StoredHold[];
  readonly usage: readonly StoredUsage[];
}
