import type { Task } from '../../protocol/batch.ts';
import type { RunReport } from '../../protocol/report.ts';
import type { AttemptView } from '../../protocol/processes.ts';
import type { ResultEntry } from '../../protocol/result-entry.ts';
import type { AskRow, ConversationRow, RunRow, SetRow, SteerRow } from '../../protocol/rows.ts';
import type { Worktree } from '../../protocol/worktree.ts';
import type { Closing } from '../../runs/closing.ts';
import type { ReadDb } from '../writers/db.ts';
import { readableJson, storedJson } from './stored-json.ts';
import type {
  AttemptRecord,
  Grant,
  OutboxRecord,
  RunRecord,
  StoredCall,
  StoredConversation,
  StoredDelivery,
  StoredHold,
  StoredUsage,
} from './records.ts';

const json = <T>(text: string): T => storedJson<T>(text, 'conversation');
const jsonOrNull = <T>(text: string | null): T | null => (text === null ? null : json<T>(text));

// What is gone is not read any more, also while its rows are still being erased.
const NOT_ERASED = 'conversation_id NOT IN (SELECT conversation_id FROM erased)';

/** The rows of all conversations of a project that can be read, the latest first. */
export function readConversations(db: ReadDb): ConversationRow[] {
  const found = db.all<{ row: string }>(
    `SELECT row FROM conversations WHERE ${NOT_ERASED} ORDER BY updated_at DESC, conversation_id`,
  );
  return readableJson<ConversationRow>(
    found.map(({ row }) => row),
    'conversation',
  );
}

interface RunSql {
  readonly row: string;
  readonly task: string;
  readonly result: string | null;
  readonly report: string | null;
  readonly once: number;
  readonly session: string | null;
  readonly answered: string | null;
  readonly carried: string | null;
  readonly worktree: string | null;
  readonly closing: string | null;
}

function toRun(sql: RunSql): RunRecord {
  return {
    row: json<RunRow>(sql.row),
    task: json<Task>(sql.task),
    result: jsonOrNull<ResultEntry>(sql.result),
    report: jsonOrNull<RunReport>(sql.report),
    once: sql.once === 1,
    session: jsonOrNull<unknown>(sql.session),
    answered: jsonOrNull<RunReport>(sql.answered),
    carried: jsonOrNull<RunRecord['carried']>(sql.carried),
    worktree: jsonOrNull<Worktree>(sql.worktree),
    closing: jsonOrNull<Closing>(sql.closing),
  };
}

interface CallSql {
  readonly run_id: string;
  readonly call_id: string;
  readonly tool: string;
  readonly arguments: string;
  readonly context_chars: number | null;
  readonly turn: number | null;
  readonly delegation_id: string | null;
  readonly answered: number;
  readonly is_error: number;
  readonly text: string | null;
}

function toCall({ answered, is_error, text, ...call }: CallSql): StoredCall {
  const answer = answered === 1 ? { is_error: is_error === 1, text: text ?? '' } : null;
  return { ...call, arguments: json<unknown>(call.arguments), answer };
}

/** A run's attempts as people see them, the first one first. */
export function readAttempts(db: ReadDb, runId: string): AttemptView[] {
  const sql = 'SELECT attempt_id, n, state, started_at, ended_at, pid FROM attempts WHERE run_id = ? ORDER BY n';
  return db.all<AttemptView>(sql, runId);
}

/** Ids of a run's attempts, the first one first. */
export function readAttemptIds(db: ReadDb, runId: string): string[] {
  return db
    .all<{ attempt_id: string }>('SELECT attempt_id FROM attempts WHERE run_id = ? ORDER BY n', runId)
    .map(({ attempt_id }) => attempt_id);
}

const OF_CONVERSATION = 'WHERE run_id IN (SELECT run_id FROM runs WHERE conversation_id = ?)';

/** Everything stored of one conversation, or null when it is unknown. */
export function readConversation(db: ReadDb, id: string): StoredConversation | null {
  const found = db.get<{ row: string }>(
    `SELECT row FROM conversations WHERE conversation_id = ? AND ${NOT_ERASED}`,
    id,
  );
  if (found === undefined) return null;
  return {
    conversation: json<ConversationRow>(found.row),
    sets: db
      .all<{ row: string }>('SELECT row FROM sets WHERE conversation_id = ? ORDER BY set_number', id)
      .map(({ row }) => json<SetRow>(row)),
    runs: db
      .all<RunSql>(
        'SELECT row, task, result, report, once, session, answered, carried, worktree, closing FROM runs WHERE conversation_id = ? ORDER BY rowid',
        id,
      )
      .map(toRun),
    attempts: db.all<AttemptRecord>(`SELECT * FROM attempts ${OF_CONVERSATION} AND state <> 'ended'`, id),
    steers: db
      .all<{ row: string }>('SELECT row FROM steers WHERE conversation_id = ? ORDER BY rowid', id)
      .map(({ row }) => json<SteerRow>(row)),
    asks: db
      .all<{ key: string; row: string }>('SELECT key, row FROM asks WHERE conversation_id = ? ORDER BY rowid', id)
      .map(({ key, row }) => ({ key, row: json<AskRow>(row) })),
    calls: db
      .all<CallSql>(
        `SELECT run_id, call_id, tool, arguments, context_chars, turn, delegation_id, answered, is_error, text FROM calls ${OF_CONVERSATION} ORDER BY rowid`,
        id,
      )
      .map(toCall),
    deliveries: readDeliveries(db, id),
    holds: db.all<StoredHold>(
      'SELECT run_id, attempt_id, cost_usd, tokens FROM holds WHERE conversation_id = ? ORDER BY attempt_id',
      id,
    ),
    usage: readUsage(db, 'conversation_id', id),
  };
}

/** What was used in one conversation, or by all conversations of the project on one day. */
export function readUsage(db: ReadDb, by: 'conversation_id' | 'day', value: string): StoredUsage[] {
  return db
    .all<Omit<StoredUsage, 'unknown'> & { unknown: number }>(
      `SELECT day, conversation_id, cost_usd, unknown, tokens FROM usage WHERE ${by} = ?`,
      value,
    )
    .map((row) => ({ ...row, unknown: row.unknown === 1 }));
}

function readDeliveries(db: ReadDb, id: string): StoredDelivery[] {
  return db
    .all<Omit<StoredDelivery, 'done'> & { delivered: number }>(
      'SELECT delivery_id, delegation_id, to_run_id, kind, text, delivered FROM deliveries WHERE conversation_id = ? ORDER BY rowid',
      id,
    )
    .map(({ delivered, ...delivery }) => ({ ...delivery, done: delivered === 1 }));
}

/** Conversations with a run that has not ended. */
export function readLiveConversations(db: ReadDb): string[] {
  return db
    .all<{ id: string }>("SELECT DISTINCT conversation_id AS id FROM runs WHERE state <> 'ended'")
    .map(({ id }) => id);
}

/** When an attempt ended, epoch ms; `live` while it has not, `unknown` when nothing is stored of it. */
export function attemptEnd(db: ReadDb, attemptId: string): number | 'live' | 'unknown' {
  const sql = 'SELECT state, ended_at FROM attempts WHERE attempt_id = ?';
  const found = db.get<{ state: string; ended_at: number | null }>(sql, attemptId);
  if (found === undefined) return 'unknown';
  return found.state === 'ended' && found.ended_at !== null ? found.ended_at : 'live';
}

/** Whether a run is stored. */
export function isStoredRun(db: ReadDb, runId: string): boolean {
  return db.get('SELECT 1 FROM runs WHERE run_id = ?', runId) !== undefined;
}

/** Whether a run has, or has had, a worktree with this branch. */
export function hasHadBranch(db: ReadDb, branch: string): boolean {
  const sql = "SELECT 1 FROM runs WHERE worktree IS NOT NULL AND json_extract(worktree, '$.branch') = ?";
  return db.get(sql, branch) !== undefined;
}

/** The worktrees of ended runs, with the state that the runs' rows tell of them. */
export function readEndedWorktrees(db: ReadDb): { readonly row: RunRow; readonly worktree: Worktree }[] {
  const sql = `SELECT row, worktree FROM runs WHERE state = 'ended' AND worktree IS NOT NULL AND ${NOT_ERASED} ORDER BY rowid`;
  return db
    .all<{ row: string; worktree: string }>(sql)
    .map(({ row, worktree }) => ({ row: json<RunRow>(row), worktree: json<Worktree>(worktree) }));
}

/** Open permissions and questions of the project. */
export function readOpenAsks(db: ReadDb): AskRow[] {
  const found = db.all<{ row: string }>("SELECT row FROM asks WHERE state = 'open' ORDER BY rowid");
  return readableJson<AskRow>(
    found.map(({ row }) => row),
    'question',
  );
}

/** The runs of a conversation that may need attention: those that have not ended, and those that failed. */
export function readAttentionRuns(db: ReadDb, conversationId: string): RunRow[] {
  const found = db.all<{ row: string }>(
    `SELECT row FROM runs WHERE conversation_id = ? AND (state <> 'ended' OR row ->> 'failure_line' IS NOT NULL) ORDER BY rowid`,
    conversationId,
  );
  return readableJson<RunRow>(
    found.map(({ row }) => row),
    'run',
  );
}

/** The conversation of a run or set id, or null. */
export function findConversation(db: ReadDb, id: string): string | null {
  const sql = `SELECT conversation_id AS id FROM (SELECT conversation_id FROM runs WHERE run_id = @id
    UNION ALL SELECT conversation_id FROM sets WHERE delegation_id = @id
    UNION ALL SELECT conversation_id FROM conversations WHERE conversation_id = @id
    UNION ALL SELECT conversation_id FROM asks WHERE ask_id = @id) WHERE ${NOT_ERASED} LIMIT 1`;
  return db.get<{ id: string }>(sql, { id })?.id ?? null;
}

/** The answer that a command with this client token was given, or undefined (S7). */
export function readReceipt(db: ReadDb, token: string): unknown {
  const found = db.get<{ answer: string }>('SELECT answer FROM receipts WHERE client_token = ?', token);
  return found === undefined ? undefined : json<unknown>(found.answer);
}

/** Whether consent was given earlier for such a call (A2). */
export function isGranted(db: ReadDb, wanted: readonly Grant[]): boolean {
  return wanted.some(
    ({ scope, scope_id, tool, detail }) =>
      db.get(
        "SELECT 1 FROM grants WHERE scope = ? AND scope_id = ? AND tool = ? AND detail IN (?, '*')",
        scope,
        scope_id,
        tool,
        detail,
      ) !== undefined,
  );
}

/** Consent that holds, the newest first, with the row of the run or set that it was given for while that is stored. */
export function readGrants(db: ReadDb): (Grant & { readonly at: number; readonly of: string | null })[] {
  return db.all(
    `SELECT grants.*, coalesce(runs.row, sets.row) AS "of" FROM grants
     LEFT JOIN runs ON scope = 'run' AND runs.run_id = scope_id
     LEFT JOIN sets ON scope = 'set' AND sets.delegation_id = scope_id
     ORDER BY at DESC, scope, scope_id, tool, detail`,
  );
}

/** Effects that an earlier core left undone, in order. */
export function readOutbox(db: ReadDb): OutboxRecord[] {
  return db
    .all<Omit<OutboxRecord, 'body'> & { body: string }>(
      'SELECT effect_id, type, key, body, lease, leased_until FROM outbox ORDER BY effect_id',
    )
    .map((row) => ({ ...row, body: json<unknown>(row.body) }));
}
