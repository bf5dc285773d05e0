import type { DomainEvent } from '../../core/protocol/events.ts';
import { NO_TOKENS } from '../../core/protocol/token-sums.ts';
import type { EntryWrite, StoreWrite } from '../../core/registry/store/records.ts';

/** Conversation and runs that both databases have. */
export const CONVERSATION = 'con_bench';
export const RUNS = Array.from({ length: 100 }, (_, at) => `run_${at}`);

/** One sort of rows; `make(n)` is the write of transaction `n`. */
export interface Kind {
  readonly name: string;
  /** Rows of one transaction. */
  readonly rows: number;
  make(n: number): StoreWrite;
}

const NOTHING: StoreWrite = {
  at: 1,
  events: [],
  conversations: [],
  removedConversations: [],
  sets: [],
  runs: [],
  attempts: [],
  committed: new Map(),
  steers: [],
  asks: [],
  calls: [],
  deliveries: [],
  holds: [],
  usage: [],
  entries: [],
  receipts: [],
  grants: [],
  revoked: [],
  outboxAdded: [],
  outboxDone: [],
};

function progressed(run_id: string, turns: number): DomainEvent {
  const tokens = { ...NO_TOKENS, input: 1200 + turns, output: 300 };
  const progress = {
    turns,
    tool_calls: 3,
    tokens,
    cost_usd: 0.0123,
    cost_status: 'reported',
    active_seconds: 4.5,
  } as const;
  return { type: 'run_progressed', v: 1, run_id, progress };
}

function events(count: number, n: number): StoreWrite {
  const some = RUNS.slice(0, count).map((run) => ({ conversation_id: CONVERSATION, event: progressed(run, n) }));
  return { ...NOTHING, events: some };
}

const WORDS = 'some words of what is written ';

/** Entry 0 of each run stays open, and gets text; the sequence of its worker goes up. */
function deltas(n: number): StoreWrite {
  const entries = RUNS.map((run_id): EntryWrite => ({
    run_id,
    entry: 0,
    at: 1,
    meta: null,
    isNew: false,
    chunk: { offset: n * WORDS.length, text: WORDS },
    text: null,
  }));
  return { ...NOTHING, entries, committed: new Map(RUNS.map((run) => [`att_${run}`, n])) };
}

/** What an agent writes in an hour: whole entries, which the search takes in. */
function entries(n: number): StoreWrite {
  const meta = JSON.stringify({ type: 'text', partial: false });
  const made = RUNS.map((run_id, at): EntryWrite => ({
    run_id,
    entry: n + 1,
    at: 1,
    meta,
    isNew: true,
    chunk: null,
    text: `${n} ${at} ${WORDS.repeat(20)}`,
  }));
  return { ...NOTHING, entries: made };
}

export const KINDS: readonly Kind[] = [
  { name: '100 events', rows: 100, make: (n) => events(100, n) },
  { name: '1 event', rows: 1, make: (n) => events(1, n) },
  { name: '100 deltas and sequences', rows: 200, make: deltas },
  { name: '100 whole entries', rows: 100, make: entries },
];
