import type { WriteDb } from '../writers/db.ts';
import { writeEntries } from './entries.ts';
import { markErased } from './erase.ts';
import type { AttemptRecord, RunRecord, StoredCall, StoreWrite } from './records.ts';

/** Writes everything of one transaction into a project's database. Called inside the transaction; idempotent. */
export function writeRows(db: WriteDb, write: StoreWrite): void {
  for (const conversation of write.conversations) {
    db.run(
      `INSERT INTO conversations (conversation_id, updated_at, archived, row) VALUES (?, ?, ?, ?)
       ON CONFLICT (conversation_id) DO UPDATE SET updated_at = excluded.updated_at, archived = excluded.archived, row = excluded.row`,
      conversation.conversation_id,
      conversation.updated_at,
      Number(conversation.archived),
      JSON.stringify(conversation),
    );
  }
  for (const set of write.sets) {
    db.run(
      `INSERT INTO sets (delegation_id, conversation_id, set_number, parent_run_id, parent_call_id, row) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (delegation_id) DO UPDATE SET row = excluded.row`,
      set.delegation_id,
      set.conversation_id,
      set.set,
      set.parent_run_id,
      set.parent_call_id,
      JSON.stringify(set),
    );
  }
  for (const run of write.runs) writeRun(db, run);
  for (const attempt of write.attempts) writeAttempt(db, attempt);
  writeBudget(db, write);
  writeEntries(db, write.entries);
  for (const [attempt, seq] of write.committed) {
    db.run('UPDATE attempts SET committed_seq = max(committed_seq, ?) WHERE attempt_id = ?', seq, attempt);
  }
  writeDialogue(db, write);
  writeLog(db, write);
  writeOutbox(db, write);
  for (const id of write.removedConversations) markErased(db, id);
}

/**
 * A run changes many times a second and its task never does: a known run is updated without it, since the task may bring 100 kB of context that
 * would be made JSON each time for nothing.
 */
function writeRun(db: WriteDb, run: RunRecord): void {
  const { row, task, result, report, once, session, answered, carried, worktree, closing } = run;
  const changing = [
    row.state,
    row.outcome,
    JSON.stringify(row),
    ...[result, report, session, answered, carried, worktree, closing].map(jsonOrNull),
  ];
  const known = db.run(
    `UPDATE runs SET state = ?, outcome = ?, row = ?, result = ?, report = ?, session = ?, answered = ?, carried = ?, worktree = ?, closing = ?
     WHERE run_id = ?`,
    ...changing,
    row.run_id,
  );
  if (known.changes > 0) return;
  db.run(
    `INSERT INTO runs (state, outcome, row, result, report, session, answered, carried, worktree, closing,
       run_id, conversation_id, delegation_id, task_index, parent_run_id, task, once)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...changing,
    row.run_id,
    row.conversation_id,
    row.delegation_id,
    row.task_index,
    row.parent_run_id,
    JSON.stringify(task),
    Number(once),
  );
}

function jsonOrNull(value: unknown): string | null {
  return value == null ? null : JSON.stringify(value);
}

function writeAttempt(db: WriteDb, attempt: AttemptRecord): void {
  db.run(
    `INSERT INTO attempts (attempt_id, run_id, n, state, started_at, ended_at, token_hash, secret_hash, pid, pid_started, committed_seq)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (attempt_id) DO UPDATE SET state = excluded.state, ended_at = excluded.ended_at,
       secret_hash = excluded.secret_hash, pid = excluded.pid, pid_started = excluded.pid_started`,
    attempt.attempt_id,
    attempt.run_id,
    attempt.n,
    attempt.state,
    attempt.started_at,
    attempt.ended_at,
    attempt.token_hash,
    attempt.secret_hash,
    attempt.pid,
    attempt.pid_started,
    attempt.committed_seq,
  );
}

function writeBudget(db: WriteDb, write: StoreWrite): void {
  for (const { run_id, conversation_id, hold } of write.holds) {
    db.run('DELETE FROM holds WHERE run_id = ?', run_id);
    if (hold === null) continue;
    db.run(
      'INSERT INTO holds (attempt_id, run_id, conversation_id, cost_usd, tokens) VALUES (?, ?, ?, ?, ?)',
      hold.attempt_id,
      run_id,
      conversation_id,
      hold.cost_usd,
      hold.tokens,
    );
  }
  for (const { day, conversation_id, cost_usd, unknown, tokens } of write.usage) {
    db.run(
      `INSERT INTO usage (day, conversation_id, cost_usd, unknown, tokens) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (day, conversation_id) DO UPDATE SET cost_usd = excluded.cost_usd, unknown = excluded.unknown, tokens = excluded.tokens`,
      day,
      conversation_id,
      cost_usd,
      Number(unknown),
      tokens,
    );
  }
}

function writeCall(db: WriteDb, call: StoredCall): void {
  db.run(
    `INSERT INTO calls (run_id, call_id, tool, arguments, context_chars, turn, delegation_id, answered, is_error, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (run_id, call_id) DO UPDATE SET delegation_id = excluded.delegation_id, answered = excluded.answered,
       is_error = excluded.is_error, text = excluded.text`,
    call.run_id,
    call.call_id,
    call.tool,
    JSON.stringify(call.arguments ?? null),
    call.context_chars,
    call.turn,
    call.delegation_id,
    Number(call.answer !== null),
    Number(call.answer?.is_error ?? false),
    call.answer?.text ?? null,
  );
}

function writeDialogue(db: WriteDb, write: StoreWrite): void {
  for (const steer of write.steers) {
    db.run(
      `INSERT INTO steers (steer_id, run_id, conversation_id, state, row) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (steer_id) DO UPDATE SET state = excluded.state, row = excluded.row`,
      steer.steer_id,
      steer.run_id,
      steer.conversation_id,
      steer.state,
      JSON.stringify(steer),
    );
  }
  for (const { key, row } of write.asks) {
    db.run(
      `INSERT INTO asks (ask_id, run_id, conversation_id, key, state, row) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (ask_id) DO UPDATE SET state = excluded.state, row = excluded.row`,
      row.ask_id,
      row.run_id,
      row.conversation_id,
      key,
      row.state,
      JSON.stringify(row),
    );
  }
  for (const call of write.calls) writeCall(db, call);
  for (const { conversation_id, at, delivery } of write.deliveries) {
    db.run(
      `INSERT INTO deliveries (delivery_id, conversation_id, delegation_id, to_run_id, kind, text, created_at, delivered) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (delivery_id) DO UPDATE SET delivered = excluded.delivered`,
      delivery.delivery_id,
      conversation_id,
      delivery.delegation_id,
      delivery.to_run_id,
      delivery.kind,
      delivery.text,
      at,
      Number(delivery.done),
    );
  }
}

function writeLog(db: WriteDb, write: StoreWrite): void {
  for (const { conversation_id, event } of write.events) {
    db.run(
      'INSERT INTO events (at, conversation_id, type, body) VALUES (?, ?, ?, ?)',
      write.at,
      conversation_id,
      event.type,
      JSON.stringify(event),
    );
  }
  for (const { client_token, answer } of write.receipts) {
    db.run(
      'INSERT OR IGNORE INTO receipts (client_token, at, answer) VALUES (?, ?, ?)',
      client_token,
      write.at,
      JSON.stringify(answer),
    );
  }
  for (const { scope, scope_id, tool, detail } of write.revoked) {
    db.run(
      'DELETE FROM grants WHERE scope = ? AND scope_id = ? AND tool = ? AND detail = ?',
      scope,
      scope_id,
      tool,
      detail,
    );
  }
  for (const { scope, scope_id, tool, detail } of write.grants) {
    db.run(
      'INSERT OR IGNORE INTO grants (scope, scope_id, tool, detail, at) VALUES (?, ?, ?, ?, ?)',
      scope,
      scope_id,
      tool,
      detail,
      write.at,
    );
  }
}

function writeOutbox(db: WriteDb, write: StoreWrite): void {
  for (const { effect_id, type, key, body, lease, leased_until } of write.outboxAdded) {
    db.run(
      `INSERT INTO outbox (effect_id, type, key, body, created_at, leased_until, lease) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (effect_id) DO UPDATE SET leased_until = excluded.leased_until, lease = excluded.lease`,
      effect_id,
      type,
      key,
      JSON.stringify(body),
      write.at,
      leased_until,
      lease,
    );
  }
  for (const id of write.outboxDone) db.run('DELETE FROM outbox WHERE effect_id = ?', id);
}
