import type { ResultEntry, SetResult, Totals } from '../../core/protocol/result-entry.ts';
import type { AskRow, ConversationRow, RunRow, SetRow } from '../../core/protocol/rows.ts';
import { NO_TOKENS } from '../../core/protocol/token-sums.ts';

export const TOTALS: Totals = {
  completed: 1,
  failed: 0,
  stopped: 0,
  timed_out: 0,
  lost: 0,
  truncated: 0,
  acceptance_failed: 0,
  tokens: NO_TOKENS,
  cost_usd: 0.5,
  duration_seconds: 12,
  nested: { runs: 0, failed: 0 },
};

export function setRow(changed: Partial<SetRow> = {}): SetRow {
  return {
    delegation_id: 'deleg_1',
    conversation_id: 'conv_1',
    set: 1,
    parent_run_id: null,
    parent_call_id: null,
    title: null,
    count: 1,
    ended: 0,
    status: 'running',
    totals: TOTALS,
    max_concurrent: 10,
    fail_fast: false,
    wait: true,
    paused: false,
    revision: 0,
    created_at: 0,
    started_at: 0,
    ended_at: null,
    ...changed,
  };
}

const RUN: RunRow = {
  run_id: 'run_1',
  conversation_id: 'conv_1',
  project_id: 'proj_1',
  delegation_id: 'deleg_1',
  set: 1,
  task_index: 0,
  parent_run_id: null,
  root_run_id: 'run_1',
  depth: 1,
  lead: false,
  tag: '[set 1]',
  label: null,
  goal: 'Say hello',
  agent: 'general',
  runner: 'builtin',
  model: null,
  permission: 'ask',
  isolation: 'none',
  worktree: null,
  state: 'running',
  reason: null,
  until: null,
  paused: false,
  words: 'Running',
  outcome: null,
  exit_reason: null,
  failure_reason: null,
  caveats: [],
  error: null,
  failure_text: null,
  failure_line: null,
  advice: null,
  activity: null,
  turns: 0,
  max_turns: 250,
  tool_calls: 0,
  tokens: NO_TOKENS,
  cost_usd: null,
  cost_status: 'unknown',
  max_cost_usd: null,
  total_cost_usd: null,
  total_tokens: 0,
  queued_at: 0,
  started_at: 0,
  ended_at: null,
  active_seconds: 12,
  active_since: null,
  last_activity_at: null,
  summary: null,
  text_cut: false,
  attempts: 1,
  pid: null,
  proof: null,
  survivors: [],
  retry_of: null,
  retried_by: null,
  continues: null,
  continued_by: null,
  added: false,
  seen: false,
};

export function runRow(changed: Partial<RunRow> = {}): RunRow {
  return { ...RUN, ...changed };
}

export function conversationRow(changed: Partial<ConversationRow> = {}): ConversationRow {
  return {
    conversation_id: 'conv_1',
    project_id: 'proj_1',
    title: 'Say hello',
    created_at: 0,
    updated_at: 0,
    lead_run_id: null,
    scripted: false,
    archived: false,
    paused: false,
    held: 0,
    sets: 1,
    runs: 1,
    ended: 0,
    working: 1,
    needs_you: 0,
    unseen_failures: 0,
    failed: 0,
    stopped: 0,
    caveats: 0,
    tokens: 0,
    cost_usd: null,
    ...changed,
  };
}

export function askRow(changed: Partial<AskRow> = {}): AskRow {
  return {
    ask_id: 'ask_1',
    run_id: 'run_1',
    conversation_id: 'conv_1',
    project_id: 'proj_1',
    kind: 'permission',
    title: 'Run a command',
    tool: 'bash',
    detail: 'rm -rf build',
    diff: null,
    chain: [{ run_id: null, words: 'you' }],
    opened_at: 0,
    state: 'open',
    choice: null,
    note: null,
    answered_by: null,
    ...changed,
  };
}

export function resultEntry(changed: Partial<ResultEntry> = {}): ResultEntry {
  return {
    delegation_id: 'deleg_1',
    run_id: 'run_1',
    task_index: 0,
    label: null,
    goal: 'Say hello',
    agent: 'general',
    model: null,
    status: 'completed',
    exit_reason: 'done',
    truncated: false,
    summary: 'Hello.',
    turns: 1,
    tool_calls: 0,
    duration_seconds: 12,
    tokens: NO_TOKENS,
    cost_usd: 0.5,
    cost_status: 'reported',
    files_read: [],
    files_written: [],
    transcript: 'run_1',
    ...changed,
  };
}

export function setResult(changed: Partial<SetResult> = {}): SetResult {
  return {
    conversation_id: 'conv_1',
    delegation_id: 'deleg_1',
    set: 1,
    status: 'completed',
    results: [resultEntry()],
    totals: TOTALS,
    ...changed,
  };
}
