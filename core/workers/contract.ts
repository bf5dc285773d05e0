import type { Assignment, CoreFrame, WorkerEvent } from '../protocol/frames.ts';
import type { ProcessUse } from '../protocol/processes.ts';
import type { EndProof, ProcessName } from '../protocol/report.ts';

/** An attempt whose row was committed before this order (DESIGN, "No second start"). */
export interface StartOrder {
  readonly run_id: string;
  readonly attempt_id: string;
  /** One-time start token; the attempt's row holds its SHA-256. */
  readonly token: string;
  readonly assignment: Assignment;
  /** Private folder of the attempt, for its stdout, stderr and spool. */
  readonly folder: string;
}

/** An attempt of an earlier core that may still have a worker. */
export interface AdoptOrder {
  readonly run_id: string;
  readonly attempt_id: string;
  readonly secret_hash: string | null;
  readonly token_hash: string;
  readonly pid: number | null;
  readonly pid_started: string | null;
  readonly committed: number;
  readonly folder: string;
  /** For a worker that started but did not get its task before the earlier core ended. Without it such a worker is ended, and the attempt with it. */
  readonly assignment?: Assignment | null;
}

/** How an attempt came to its end. */
export interface AttemptExit {
  readonly attempt_id: string;
  /** Its worker had connected, to this core or an earlier one. */
  readonly connected: boolean;
  /** A sequenced event was received, or the worker has left the mark of one that nobody received: something happened. */
  readonly active: boolean;
  /** null: nobody saw how it ended (another core's child), it was never started, or it was ended because it did not connect. */
  readonly exit: { readonly code: number | null; readonly signal: string | null } | null;
  /** The worker's process was there and is gone, and it was not the pool that ended it; `exit` may still be unknown. */
  readonly by_itself?: boolean;
  readonly proof: EndProof;
  readonly survivors: readonly ProcessName[];
  readonly ended: readonly ProcessName[];
  /** Last lines of the worker's stderr, cleaned, and as the last one what the pool found wrong; for the message of a failed start. */
  readonly stderr_tail: string;
  /** Why it was ended, if that was because nothing came from it any more (R7). */
  readonly silent?: string | null;
}

/** What the pool of workers tells the engine. Calls come in order per attempt. */
export interface WorkerEvents {
  /** The worker has shown its token. The engine stores the hash of `secret`, then calls `welcome`. */
  connected(attempt: { attempt_id: string; pid: number; pid_started: string; secret: string }): void;
  /** A worker came back after a cut or a core restart. Already acknowledged events are dropped by the pool. */
  reconnected(attempt: {
    attempt_id: string;
    pid: number;
    open_calls: readonly string[];
    open_asks: readonly string[];
  }): void;
  /** A sequenced event, each exactly once and in order. The engine answers with `ack` after its commit. */
  event(attempt_id: string, seq: number, event: WorkerEvent): void;
  /** The attempt has ended and its end was looked into. All its events came before. */
  exited(exit: AttemptExit): void;
}

/** Places attempts on processes. `local` is the first implementation; a remote pool would be another (DESIGN, "Beyond one machine"). */
export interface WorkerPool {
  start(order: StartOrder): void;
  adopt(order: AdoptOrder): void;
  /** Completes the handshake once the secret's hash is committed. */
  welcome(attempt_id: string): void;
  /** Acknowledges every event up to `seq`, after the commit. */
  ack(attempt_id: string, seq: number): void;
  /** Sends a frame if the worker is connected; what must survive is derived again from rows on reconnection. */
  send(attempt_id: string, frame: CoreFrame): void;
  /** Polite stop, then the whole process tree after `graceMs` (C3); `exited` follows. With 0 an earlier stop gets no more time either. */
  stop(attempt_id: string, reason: 'stop' | 'deadline' | 'stalled', graceMs: number): void;
  /** Tells a worker whose events are all committed to end; kills what is left after a short grace; `exited` follows. */
  release(attempt_id: string): void;
  /** Takes away the right of an attempt to connect, and ends what it finds of it; `exited` follows if the pool knew it. */
  revoke(attempt_id: string): void;
  /** The processes of a live attempt and what they use now; null for any other. Looks only when asked. */
  sample(attempt_id: string): Promise<ProcessUse[] | null>;
  /** Resolves when `exited` has been told of every attempt whose worker is gone by now. */
  settled(): Promise<void>;
  /** Workers stay alive (they outlive the core) unless `endAll`; idle pooled ones always end. */
  close(options: { endAll: boolean }): Promise<void>;
}
