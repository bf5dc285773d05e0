import { z } from 'zod';
import { AgentDefinition } from './agents.ts';
import { EntryMeta, ToolDisplay } from './entry.ts';
import { RunState, WaitReason } from './lifecycle.ts';
import { Progress, RunReport } from './report.ts';
import { SteerMode } from './rows.ts';
import { Effort, McpServerSettings, Permission } from './settings.ts';
import { Price } from './usage.ts';

/** A model with its endpoint and key as one bundle (K4), as providers resolve it. Lives in memory and on the workers' socket only. */
export const ModelBundle = z.object({
  provider: z.string(),
  kind: z.enum(['anthropic', 'openai', 'openai-compatible', 'google']),
  baseUrl: z.string(),
  key: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  extraBody: z.record(z.string(), z.unknown()),
  model: z.string(),
  /** Tokens; null when nobody told us. */
  contextWindow: z.number().int().positive().nullable(),
  maxOutput: z.number().int().positive().nullable(),
  price: Price.nullable(),
  /** False for a model that takes no images. */
  images: z.boolean().optional(),
});
export type ModelBundle = z.infer<typeof ModelBundle>;

/** Nobody sends a request with this key before `until` (R8). `key_id` is a hash; it names the key and tells nothing of it. */
export const KeyHold = z.object({ key_id: z.string(), until: z.number() });
export type KeyHold = z.infer<typeof KeyHold>;

/** Everything a worker needs to execute its attempt; sent once over the socket after the handshake. */
export const Assignment = z.object({
  run_id: z.string(),
  conversation_id: z.string(),
  lead: z.boolean(),
  depth: z.number().int(),
  agent: AgentDefinition,
  goal: z.string(),
  context: z.string().nullable(),
  files: z.array(z.string()),
  images: z.array(z.string()),
  output_schema: z.unknown().nullable(),
  effort: Effort.nullable(),
  /** Absolute path in which the run works. */
  workspace: z.string(),
  /** Attached folder; instructions are read from here down to the workspace. */
  project: z.string(),
  isolated: z.boolean(),
  permission: Permission,
  /** Tool names the run may use; null is no opinion, empty is none (K3). */
  tools: z.array(z.string()).nullable(),
  /** Where skills are: the digest of the definitions of the project that were trusted, or null (A4), and the user's own folders (K1). */
  skills: z.object({ project: z.string().nullable(), folders: z.array(z.string()) }).optional(),
  /** MCP servers that the agent may use, by name (K4: what is secret in them is on this socket only). */
  mcp_servers: z.record(z.string(), McpServerSettings).optional(),
  /** Private folder where the lists of tools of MCP servers are kept. */
  tool_lists: z.string().optional(),
  /** Text of the delegate tool with the limits in force, or null when the run may not delegate (R2, K6). */
  delegate: z
    .object({
      description: z.string(),
      wait_default: z.boolean(),
      /** Agents that run a program of the model's choice, which asks like `bash` (A1); null among them: the default agent does. */
      command_agents: z.array(z.string().nullable()).optional(),
    })
    .nullable(),
  /** The model, then its declared fallbacks (R8); empty for the runner `command`. */
  models: z.array(ModelBundle),
  /** An external agent's own name of a model; null or absent is its own choice. */
  model: z.string().nullable().optional(),
  /** Holds on keys that other runs have found. */
  key_holds: z.array(KeyHold).optional(),
  limits: z.object({
    max_turns: z.number().int().positive(),
    max_tool_calls: z.number().int().positive().nullable(),
    max_cost_usd: z.number().positive().nullable(),
    max_tokens: z.number().int().positive().nullable(),
    timeout_seconds: z.number().positive().nullable(),
    idle_seconds: z.number().positive(),
    tool_idle_seconds: z.number().positive(),
    open_request_seconds: z.number().positive(),
    stop_grace_seconds: z.number().nonnegative(),
    retries: z.number().int().nonnegative(),
  }),
  /** Base environment of tools and programs (K5), without keys. */
  environment: z.record(z.string(), z.string()),
  /** Variable names that never reach a tool: the providers' key variables. */
  hidden_variables: z.array(z.string()),
  /** Folder for spilled tool outputs, private. */
  spill_folder: z.string(),
  /** Steering texts accepted before the start. */
  steers: z.array(z.object({ steer_id: z.string(), mode: SteerMode, text: z.string() })),
  /** First message of a lead, and earlier session of a continued run, as opaque loop state. */
  session: z.unknown().nullable(),
});
export type Assignment = z.infer<typeof Assignment>;

/** Body of a sequenced frame: what happened in the worker, in order. */
export const WorkerEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('entry'), entry: z.number().int(), at: z.number(), meta: EntryMeta, text: z.string() }),
  /** Appends `text` at `offset` (UTF-16 units of what was sent so far) of an open entry. */
  z.object({ type: z.literal('delta'), entry: z.number().int(), offset: z.number().int(), text: z.string() }),
  /** Closes an entry; `meta`, if given, replaces the first one; `text`, if given, replaces the whole text. */
  z.object({
    type: z.literal('entry_end'),
    entry: z.number().int(),
    meta: EntryMeta.nullable(),
    text: z.string().nullable(),
  }),
  z.object({ type: z.literal('entry_meta'), entry: z.number().int(), meta: EntryMeta }),
  z.object({
    type: z.literal('state'),
    state: RunState.extract(['running', 'waiting']),
    reason: WaitReason.nullable(),
    until: z.number().nullable(),
  }),
  z.object({ type: z.literal('progress'), progress: Progress }),
  z.object({ type: z.literal('activity'), text: z.string() }),
  /** Nothing has happened for so many seconds (R7); null: something happens again. */
  z.object({ type: z.literal('idle'), seconds: z.number().nullable() }),
  /** A provider asked to wait: all runs on the key are held together (R8). */
  KeyHold.extend({ type: z.literal('hold') }),
  /** A permission or question; answered by `answer` with the same key. */
  z.object({
    type: z.literal('ask'),
    key: z.string(),
    kind: z.enum(['permission', 'question']),
    title: z.string(),
    tool: z.string().nullable(),
    detail: z.string(),
    diff: z.string().nullable(),
  }),
  z.object({ type: z.literal('ask_closed'), key: z.string() }),
  z.object({
    type: z.literal('steer'),
    steer_id: z.string(),
    state: z.enum(['queued', 'delivered', 'handed_over']),
  }),
  /** A call that the core answers with `call_result`: delegation and its controls. `call_id` is unique in the run. */
  z.object({
    type: z.literal('call'),
    call_id: z.string(),
    tool: z.string(),
    arguments: z.unknown(),
    /** So many characters still fit into the run's context (P5). */
    context_chars: z.number().int().nonnegative().optional(),
  }),
  /** The agent's program of this attempt has started: the next one that shares what it needs may (R1). */
  z.object({ type: z.literal('ready') }),
  /** A lead has answered and waits for its next message. */
  z.object({
    type: z.literal('answered'),
    answer: z.string(),
    session: z.unknown(),
    /** What counts if nothing more comes of the run. */
    report: RunReport.optional(),
  }),
  /** Processes that the worker started below itself, as far as it knows them. */
  z.object({ type: z.literal('processes'), pids: z.array(z.number().int()) }),
  z.object({ type: z.literal('ended'), last_seq: z.number().int(), report: RunReport, session: z.unknown() }),
]);
export type WorkerEvent = z.infer<typeof WorkerEvent>;

/** Worker → core. */
export const WorkerFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.number().int(),
    attempt_id: z.string().nullable(),
    /** The one-time start token, or the resume secret of an attempt already begun. */
    token: z.string(),
    pid: z.number().int(),
    /** Version of the worker bundle; a pooled worker of an older one is ended. */
    bundle: z.string(),
    /** Calls without a result yet, to be answered again after a reconnect (P7). */
    open_calls: z.array(z.string()),
    open_asks: z.array(z.string()),
  }),
  z.object({ type: z.literal('event'), seq: z.number().int().positive(), event: WorkerEvent }),
  z.object({ type: z.literal('pong'), at: z.number() }),
]);
export type WorkerFrame = z.infer<typeof WorkerFrame>;

/** Core → worker. */
export const CoreFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('welcome'),
    boot: z.string(),
    /** Last committed sequence of the attempt; what is committed is dropped by the worker. */
    committed: z.number().int().nonnegative(),
    /** First connection only: what later hellos must show. */
    secret: z.string().nullable(),
    attempt_id: z.string(),
    assignment: Assignment.nullable(),
    /** First connection only: the attempt's private folder, for its spool. */
    folder: z.string().nullable(),
  }),
  /** A pooled worker waits; `welcome` with its assignment follows, or `end`. */
  z.object({ type: z.literal('pooled'), boot: z.string() }),
  z.object({
    type: z.literal('refused'),
    code: z.enum(['protocol', 'token', 'revoked', 'unknown']),
    message: z.string(),
  }),
  z.object({ type: z.literal('ack'), seq: z.number().int().nonnegative() }),
  z.object({ type: z.literal('steer'), steer_id: z.string(), mode: SteerMode, text: z.string() }),
  /** The next turn of a run that waits for one. The same id may be sent again, or have come as a steer: the run takes it once, when it waits. */
  z.object({
    type: z.literal('message'),
    message_id: z.string(),
    text: z.string(),
    origin: z.enum(['message', 'completion']),
    /** The background delegation that this completion closes. */
    delegation_id: z.string().nullable(),
  }),
  z.object({
    type: z.literal('answer'),
    key: z.string(),
    choice: z.enum(['allow', 'deny', 'text']),
    /** Further calls of the same kind in this run need not ask. */
    remember: z.boolean(),
    note: z.string().nullable(),
  }),
  z.object({
    type: z.literal('call_result'),
    call_id: z.string(),
    is_error: z.boolean(),
    text: z.string(),
    /** The delegation that now runs in the background: the run does not end before its completion came (P6). */
    background: z.string().nullable(),
    /** Delegations whose results this answer holds, so that no message of theirs follows. */
    closes: z.array(z.string()).optional(),
    display: ToolDisplay.nullable(),
  }),
  /** News for the next safe boundary: a child failed early (P3). The same id may come again; the run says by a `steer` event when it has taken it. */
  z.object({ type: z.literal('notice'), notice_id: z.string().optional(), text: z.string() }),
  /** From now on the attempt may have spent so much in all; null is no limit (R5). `note` says why it has less than was asked for. */
  z.object({
    type: z.literal('limits'),
    max_cost_usd: z.number().nonnegative().nullable(),
    max_tokens: z.number().int().nonnegative().nullable(),
    note: z.string().nullable(),
  }),
  /** Another run was told to wait on this key (R8). */
  KeyHold.extend({ type: z.literal('hold') }),
  z.object({ type: z.literal('pause') }),
  z.object({ type: z.literal('resume') }),
  /** A lead that is to end after its answer ends now: no delegation is open (T1). */
  z.object({ type: z.literal('finish') }),
  /** Stop politely; the process tree follows after the grace. */
  z.object({ type: z.literal('stop'), reason: z.enum(['stop', 'deadline', 'stalled']) }),
  /** End the process now: everything is committed, or the attempt was revoked. */
  z.object({ type: z.literal('end') }),
  z.object({ type: z.literal('ping'), at: z.number() }),
]);
export type CoreFrame = z.infer<typeof CoreFrame>;
