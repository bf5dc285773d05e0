import type { Snapshot } from '../../core/protocol/feed.ts';
import type { AppRow, AskRow, ConversationRow, ProjectRow, RunRow, SetRow } from '../../core/protocol/rows.ts';
import { NO_TOKENS } from '../../core/protocol/token-sums.ts';

/** 14:27 on a working day, local time: the moment of the fixtures. */
const NOW = new Date(2026, 4, 12, 14, 27, 8).getTime();
const MINUTE = 60_000;

/** What a run of the fixtures has used. */
const USED = {
  turns: 4,
  max_turns: 250,
  tool_calls: 9,
  tokens: NO_TOKENS,
  cost_usd: 0.1,
  cost_status: 'reported',
  max_cost_usd: null,
  total_cost_usd: 0.1,
  total_tokens: 0,
} as const satisfies Partial<RunRow>;

/** A run of `set 1` of the conversation `conv_1`; what matters to a test is passed. */
export function aRun(part: Partial<RunRow> & Pick<RunRow, 'run_id'>): RunRow {
  return {
    conversation_id: 'conv_1',
    project_id: 'proj_1',
    delegation_id: 'deleg_1',
    set: 1,
    task_index: 0,
    parent_run_id: 'run_lead',
    root_run_id: 'run_lead',
    depth: 1,
    lead: false,
    tag: '[set 1 · 1/9]',
    label: null,
    goal: 'Do the thing',
    agent: 'claude-code',
    runner: 'cli',
    model: 'anthropic/sonnet',
    permission: 'edit',
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
    ...USED,
    queued_at: NOW - 49 * MINUTE,
    started_at: NOW - 41 * MINUTE,
    ended_at: null,
    active_seconds: 60,
    active_since: null,
    last_activity_at: NOW,
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
    seen: true,
    ...part,
  };
}

/** A set of `conv_1`. */
export function aSet(part: Partial<SetRow> & Pick<SetRow, 'delegation_id'>): SetRow {
  return {
    conversation_id: 'conv_1',
    set: 1,
    parent_run_id: 'run_lead',
    parent_call_id: null,
    title: 'Extract packages/session',
    count: 9,
    ended: 0,
    status: 'running',
    totals: {
      completed: 0,
      failed: 0,
      stopped: 0,
      timed_out: 0,
      lost: 0,
      truncated: 0,
      acceptance_failed: 0,
      tokens: NO_TOKENS,
      cost_usd: 0,
      duration_seconds: 0,
      nested: { runs: 0, failed: 0 },
    },
    max_concurrent: 10,
    fail_fast: false,
    wait: true,
    paused: false,
    revision: 0,
    created_at: NOW - 41 * MINUTE,
    started_at: NOW - 41 * MINUTE,
    ended_at: null,
    ...part,
  };
}

export function aConversation(part: Partial<ConversationRow> = {}): ConversationRow {
  return {
    conversation_id: 'conv_1',
    project_id: 'proj_1',
    title: 'Session extraction',
    created_at: NOW - 49 * MINUTE,
    updated_at: NOW,
    lead_run_id: 'run_lead',
    scripted: false,
    archived: false,
    paused: false,
    held: 0,
    sets: 3,
    runs: 76,
    ended: 49,
    working: 9,
    needs_you: 1,
    unseen_failures: 3,
    failed: 3,
    stopped: 0,
    caveats: 0,
    tokens: 3_700_000,
    cost_usd: 11.51,
    ...part,
  };
}

export function aProject(part: Partial<ProjectRow> = {}): ProjectRow {
  return {
    project_id: 'proj_1',
    path: '/home/me/tidewater',
    name: 'tidewater',
    added_at: 0,
    used_at: NOW,
    trusted: true,
    definitions: null,
    present: true,
    git: true,
    ...part,
  };
}

export function anApp(part: Partial<AppRow> = {}): AppRow {
  return {
    version: '0.1.0',
    boot: 'boot_1',
    home: '/home/me/.espalier',
    at_work: 10,
    places: 10,
    paused: false,
    cost_today_usd: 11.51,
    storage_banner: null,
    default_model: 'anthropic/sonnet',
    default_agent: 'general',
    ...part,
  };
}

export function anAsk(part: Partial<AskRow> = {}): AskRow {
  return {
    ask_id: 'ask_1',
    run_id: 'run_1_7',
    conversation_id: 'conv_1',
    project_id: 'proj_1',
    kind: 'permission',
    title: 'Run a command',
    tool: 'bash',
    detail: 'pnpm remove express-session connect-redis',
    diff: null,
    chain: [],
    opened_at: NOW - 4 * MINUTE,
    state: 'open',
    choice: null,
    note: null,
    answered_by: null,
    ...part,
  };
}

/** A snapshot of the app's scope with nothing in it. */
export function emptySnapshot(part: Partial<Snapshot> = {}): Snapshot {
  return {
    scope: { type: 'app' },
    app: null,
    projects: [],
    conversations: [],
    sets: [],
    runs: [],
    asks: [],
    steers: [],
    entries: [],
    entry_count: 0,
    ...part,
  };
}
