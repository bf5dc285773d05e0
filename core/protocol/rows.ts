import { z } from 'zod';
import { Caveat, ExitReason, FailureReason, Outcome } from './outcome.ts';
import { TreeLimits } from './batch.ts';
import { EndProof, InFlight, ProcessName } from './report.ts';
import { SetStatus, Totals } from './result-entry.ts';
import { Isolation, Permission, RunnerKind } from './settings.ts';
import { CostStatus, Price, Tokens } from './usage.ts';
import { RunWorktree } from './worktree.ts';

/** A word that an older or newer build may have written: known ones are typed, others stay readable (T7). */
const open = <T extends z.ZodType>(known: T) => z.union([known, z.string()]);

/** An attached folder. */
export const ProjectRow = z.object({
  project_id: z.string(),
  /** Absolute path, links resolved. */
  path: z.string(),
  name: z.string(),
  added_at: z.number(),
  /** Last time something happened in it, epoch ms. */
  used_at: z.number(),
  /** What it defines now is what a person trusted (A4). */
  trusted: z.boolean(),
  /** Agents, servers and settings of its own, as last looked at; null when it brings none and there is nothing to trust. */
  definitions: z
    .object({
      /** Of names and contents; trust is given to this. */
      digest: z.string(),
      /** From the project's root. */
      files: z.array(z.string()),
      /** Another content was trusted before. */
      changed: z.boolean(),
      /** Why it cannot be trusted, in words; empty when it can. */
      faults: z.array(z.string()),
    })
    .nullable(),
  /** The folder was there when last looked at. */
  present: z.boolean(),
  git: z.boolean(),
  /** A scratch project of the Demo: a script answers there, and what it shows as cost is not spent. */
  scripted: z.boolean().optional(),
});
export type ProjectRow = z.infer<typeof ProjectRow>;

/** One delegation tree in the sidebar. */
export const ConversationRow = z.object({
  conversation_id: z.string(),
  project_id: z.string(),
  title: z.string(),
  created_at: z.number(),
  updated_at: z.number(),
  lead_run_id: z.string().nullable(),
  /** Scripted models were used: shown as such everywhere. */
  scripted: z.boolean(),
  archived: z.boolean(),
  /** Its gate is closed: nothing new starts in it (R9). */
  paused: z.boolean(),
  /** Runs that a pause holds, or will hold at their next safe boundary, whichever gate is closed. */
  held: z.number().int(),
  sets: z.number().int(),
  runs: z.number().int(),
  ended: z.number().int(),
  /** Runs at work or starting. */
  working: z.number().int(),
  /** Runs that wait for a person, or in which nothing has happened for long. */
  needs_you: z.number().int(),
  /** Failures that nobody has looked at. */
  unseen_failures: z.number().int(),
  /** Runs that failed, timed out or were lost, seen or not, and that no retry or continued run stands for. */
  failed: z.number().int().optional(),
  /** Runs that were stopped, and that no retry or continued run stands for. */
  stopped: z.number().int().optional(),
  /** Runs that completed with a caveat, and that no retry or continued run stands for. */
  caveats: z.number().int().optional(),
  /** When a run in it failed last, epoch ms; missing where none has. */
  failed_at: z.number().optional(),
  tokens: z.number().int(),
  cost_usd: z.number().nullable(),
  /** Ceilings of all that happens in it, if they are lower than those of the settings (R5). */
  tree_limits: TreeLimits.optional(),
});
export type ConversationRow = z.infer<typeof ConversationRow>;

/** One set (delegation). */
export const SetRow = z.object({
  delegation_id: z.string(),
  conversation_id: z.string(),
  /** `set N`. */
  set: z.number().int().positive(),
  parent_run_id: z.string().nullable(),
  /** The tool call that made it, for re-attachment (P7). */
  parent_call_id: z.string().nullable(),
  title: z.string().nullable(),
  /** Number of task slots. */
  count: z.number().int().positive(),
  ended: z.number().int(),
  status: open(SetStatus),
  totals: Totals,
  max_concurrent: z.number().int().positive(),
  fail_fast: z.boolean(),
  /** Ceilings of its runs and everything below them together (R5). */
  tree_limits: TreeLimits.optional(),
  wait: z.boolean(),
  /** Its gate is closed: no task of it starts (R9). */
  paused: z.boolean(),
  /** How often it went on after its end, by a retry or a continued run: results from the second on are revised (C5). */
  revision: z.number().int().nonnegative(),
  created_at: z.number(),
  started_at: z.number().nullable(),
  ended_at: z.number().nullable(),
});
export type SetRow = z.infer<typeof SetRow>;

/** One run: what every surface shows of it. Labels, lines and words are made once, in the core. */
export const RunRow = z.object({
  run_id: z.string(),
  conversation_id: z.string(),
  project_id: z.string(),
  delegation_id: z.string().nullable(),
  set: z.number().int().nullable(),
  task_index: z.number().int().nullable(),
  parent_run_id: z.string().nullable(),
  /** The lead, or the run of a user's set, at the top of this run's branch (R3). */
  root_run_id: z.string(),
  depth: z.number().int(),
  lead: z.boolean(),
  /** `[set 2 · 3/9]`; empty for a lead. */
  tag: z.string(),
  label: z.string().nullable(),
  goal: z.string(),
  agent: z.string(),
  runner: open(RunnerKind),
  model: z.string().nullable(),
  permission: Permission,
  isolation: Isolation,
  /** Its own worktree; null until there is one, and for a run that works where others do. */
  worktree: RunWorktree.nullable(),
  state: z.string(),
  reason: z.string().nullable(),
  /** End of the wait where it is known, epoch ms. */
  until: z.number().nullable(),
  /** Its own gate is closed: it pauses at its next safe boundary, and nothing new starts below it (R9). See `pause.ts`. */
  paused: z.boolean(),
  /** The state or verdict in words: `Waiting: rate limit`, `Completed, turn limit reached`. */
  words: z.string(),
  outcome: open(Outcome).nullable(),
  exit_reason: open(ExitReason).nullable(),
  failure_reason: open(FailureReason).nullable(),
  caveats: z.array(open(Caveat)),
  error: z.string().nullable(),
  /** The text of the failure line alone, for a row that already shows its label; null unless it failed. */
  failure_text: z.string().nullable(),
  /** L5, whole; null unless it failed. */
  failure_line: z.string().nullable(),
  /** What to do about the failure, where we know. */
  advice: z.string().nullable(),
  /** One line of latest activity. */
  activity: z.string().nullable(),
  turns: z.number().int(),
  max_turns: z.number().int(),
  tool_calls: z.number().int(),
  tokens: Tokens,
  cost_usd: z.number().nullable(),
  cost_status: CostStatus,
  max_cost_usd: z.number().nullable(),
  /** Its own with what everything below it has used, each once (R6); null while a part of it is unknown. */
  total_cost_usd: z.number().nullable(),
  total_tokens: z.number().int(),
  /** Prices of its models as they were at its start, by `<provider id>/<model>`; null is unknown (R6). */
  prices: z.record(z.string(), Price.nullable()).optional(),
  /** What its open request costs at worst (R5). */
  in_flight: InFlight.nullable().optional(),
  /** Active seconds after which it ends timed out, and the run whose limit that is, when it is one above it (R7). */
  deadline: z.object({ seconds: z.number(), of: z.string().nullable() }).nullable().optional(),
  /** Since then nothing has happened in it, epoch ms: it asks for attention (R7). */
  idle_since: z.number().nullable().optional(),
  queued_at: z.number(),
  started_at: z.number().nullable(),
  ended_at: z.number().nullable(),
  /** Active seconds up to `active_at`; while `active_since` is not null the run is active now. */
  active_seconds: z.number(),
  active_since: z.number().nullable(),
  last_activity_at: z.number().nullable(),
  /** First lines of the answer, at most 2,000 characters; the whole is in the result entry. */
  summary: z.string().nullable(),
  text_cut: z.boolean(),
  attempts: z.number().int(),
  pid: z.number().int().nullable(),
  proof: EndProof.nullable(),
  survivors: z.array(ProcessName),
  retry_of: z.string().nullable(),
  retried_by: z.string().nullable(),
  continues: z.string().nullable(),
  /** The run that has gone on with its session (C5). */
  continued_by: z.string().nullable(),
  /** A person added it to a set at work (S8): it takes no place of the fan-out. */
  added: z.boolean(),
  /** A person has looked at the failure. */
  seen: z.boolean(),
  /** It has no place although its state would hold one: it had given it back before (R1). */
  placeless: z.boolean().optional(),
  /** It was stopped after its last word: it ends as that says, and nothing follows of it (C3). */
  stop_asked: z.boolean().optional(),
});
export type RunRow = z.infer<typeof RunRow>;

/** The runner of a lead that works outside: a client that delegates over MCP. We start no process for it, and only hear of it when it calls. */
export const OUTSIDE = 'outside';

/** Whether the run is a client from outside. */
export function isOutside({ runner }: Pick<RunRow, 'runner'>): boolean {
  return runner === OUTSIDE;
}

/** One link of the chain from the root to a run that asks. */
export const ChainLink = z.object({ run_id: z.string().nullable(), words: z.string() });
export type ChainLink = z.infer<typeof ChainLink>;

/** Of a run, when it asked: what a client shows of it that has not loaded its row. */
export const Asker = RunRow.pick({ agent: true, tag: true, set: true, permission: true }).extend({
  /** Its label, or the begin of its goal. */
  name: z.string(),
});
export type Asker = z.infer<typeof Asker>;

/** An open or answered permission or question (A2). */
export const AskRow = z.object({
  ask_id: z.string(),
  run_id: z.string(),
  conversation_id: z.string(),
  project_id: z.string(),
  kind: z.enum(['permission', 'question']),
  /** `Run a command`, `Edit src/a.ts`, or the question. */
  title: z.string(),
  tool: z.string().nullable(),
  /** The exact command, path or arguments. */
  detail: z.string(),
  /** Unified diff of an edit that asks, else null. */
  diff: z.string().nullable(),
  chain: z.array(ChainLink),
  /** Missing in an ask that an older build stored. */
  asker: Asker.optional(),
  opened_at: z.number(),
  state: z.enum(['open', 'answered', 'closed']),
  choice: z.string().nullable(),
  note: z.string().nullable(),
  /** Who answered: a client's name. */
  answered_by: z.string().nullable(),
  /** When it was answered or closed, epoch ms; missing while it is open. */
  settled_at: z.number().optional(),
});
export type AskRow = z.infer<typeof AskRow>;

/** Where a steering message stands (C2). */
export const SteerState = z.enum(['accepted', 'queued', 'delivered', 'handed_over', 'missed']);
export type SteerState = z.infer<typeof SteerState>;

/** `steer` is heard at the next safe boundary, `follow_up` after the answer. */
export const SteerMode = z.enum(['steer', 'follow_up']);
export type SteerMode = z.infer<typeof SteerMode>;

/** One line of the steer ledger. */
export const SteerRow = z.object({
  steer_id: z.string(),
  run_id: z.string(),
  conversation_id: z.string(),
  mode: SteerMode,
  text: z.string(),
  state: SteerState,
  sent_at: z.number(),
  changed_at: z.number(),
});
export type SteerRow = z.infer<typeof SteerRow>;

/** The app as a whole. */
export const AppRow = z.object({
  version: z.string(),
  /** Changes with every start of the core. */
  boot: z.string(),
  home: z.string(),
  at_work: z.number().int(),
  places: z.number().int(),
  paused: z.boolean(),
  cost_today_usd: z.number().nullable(),
  /** Storage trouble in plain words, else null. */
  storage_banner: z.string().nullable(),
  default_model: z.string().nullable(),
  default_agent: z.string(),
});
export type AppRow = z.infer<typeof AppRow>;
