import { z } from 'zod';
import { Price } from './usage.ts';

/** Permission modes from the least to the most (A1). */
export const Permission = z.enum(['plan', 'ask', 'edit', 'auto']);
export type Permission = z.infer<typeof Permission>;

export const Isolation = z.enum(['none', 'worktree']);
export type Isolation = z.infer<typeof Isolation>;

export const Effort = z.enum(['low', 'medium', 'high']);
export type Effort = z.infer<typeof Effort>;

/** What executes an attempt. */
export const RunnerKind = z.enum(['builtin', 'acp', 'cli', 'command']);
export type RunnerKind = z.infer<typeof RunnerKind>;

/** What settings know of one model. */
export const ModelSettings = z.strictObject({
  /** Tokens. */
  contextWindow: z.number().int().positive().optional(),
  /** Tokens. */
  maxOutput: z.number().int().positive().optional(),
  /** Whether it takes images; without a word they are sent. */
  images: z.boolean().optional(),
  price: Price.strict().optional(),
});
export type ModelSettings = z.infer<typeof ModelSettings>;

/** One provider: endpoint, key and headers are one bundle, never mixed with another's (K4). */
export const ProviderSettings = z.strictObject({
  kind: z.enum(['anthropic', 'openai', 'openai-compatible', 'google']),
  baseUrl: z.url().optional(),
  /** Name of the environment variable that holds the key. */
  apiKeyEnv: z.string().min(1).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  extraBody: z.record(z.string(), z.unknown()).optional(),
  models: z.record(z.string(), ModelSettings).optional(),
});
export type ProviderSettings = z.infer<typeof ProviderSettings>;

/** Limits of one run, as a task, an agent or `defaults` may set them. */
export const RunLimits = z.strictObject({
  max_turns: z.number().int().positive().max(10_000).optional(),
  max_tool_calls: z.number().int().positive().optional(),
  max_cost_usd: z.number().positive().optional(),
  max_tokens: z.number().int().positive().optional(),
  timeout_seconds: z.number().positive().optional(),
  idle_timeout_seconds: z.number().positive().optional(),
});
export type RunLimits = z.infer<typeof RunLimits>;

/** One agent of the settings file. */
export const AgentSettings = z.strictObject({
  runner: RunnerKind,
  description: z.string().optional(),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  adapter: z.string().optional(),
  model: z.string().optional(),
  fallback_models: z.array(z.string()).optional(),
  effort: Effort.optional(),
  tools: z.array(z.string()).optional(),
  disallowed_tools: z.array(z.string()).optional(),
  skills: z.array(z.string()).optional(),
  mcp_servers: z.array(z.string()).optional(),
  prompt: z.string().optional(),
  limits: RunLimits.optional(),
  permission: Permission.optional(),
  isolation: Isolation.optional(),
  once_per_child: z.boolean().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  extraBody: z.record(z.string(), z.unknown()).optional(),
  color: z.string().optional(),
});
export type AgentSettings = z.infer<typeof AgentSettings>;

/** An MCP server that agents may be given: a program on stdio, or an address. `${NAME}` in its values is a variable of the environment. */
export const McpServerSettings = z.union([
  z.strictObject({
    type: z.literal('stdio').optional(),
    command: z.string().min(1),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    /** Tools that change nothing, so that they need no permission (A1); `*` is all. */
    readOnlyTools: z.array(z.string()).optional(),
  }),
  z.strictObject({
    type: z.enum(['http', 'streamable-http']).optional(),
    url: z.url(),
    headers: z.record(z.string(), z.string()).optional(),
    readOnlyTools: z.array(z.string()).optional(),
  }),
]);
export type McpServerSettings = z.infer<typeof McpServerSettings>;

/** App-wide limits (cli.md, keys of settings.json). */
export const Limits = z.strictObject({
  concurrency: z.number().int().min(1).max(256).default(10),
  concurrencyPerSet: z.number().int().min(1).max(256).default(10),
  maxDepth: z.number().int().min(0).max(8).default(2),
  fanOut: z.number().int().min(0).max(10_000).default(64),
  fanOutPerTurn: z.number().int().min(0).max(10_000).default(50),
  maxTurns: z.number().int().min(1).max(10_000).default(250),
  idleSeconds: z.number().positive().default(450),
  toolIdleSeconds: z.number().positive().default(1200),
  openRequestSeconds: z.number().positive().default(1800),
  stopGraceSeconds: z.number().nonnegative().default(5),
  summaryChars: z.number().int().positive().default(24_000),
  treeCostUsd: z.number().positive().optional(),
  treeTokens: z.number().int().positive().optional(),
  dayCostUsd: z.number().positive().optional(),
  dayTokens: z.number().int().positive().optional(),
});
export type Limits = z.infer<typeof Limits>;

/** How long what is not needed to go on is kept, in days (D7). What git keeps of discarded worktrees has its own 30 days (W4). */
export const Retention = z.strictObject({
  /** Full outputs and streams of ended attempts, and backups made before migrations. */
  fileDays: z.number().nonnegative().default(30),
  /** Whole conversations, from their last change on; not set: for ever. */
  conversationDays: z.number().positive().optional(),
});
export type Retention = z.infer<typeof Retention>;

/** Notifications of the desktop (ui.md, Telling people). */
export const Notifications = z.strictObject({
  /** None at all; the app itself shows everything all the same. */
  doNotDisturb: z.boolean().default(false),
  /** Says that something happened, and not what: no labels, no commands, no errors. */
  hideContent: z.boolean().default(false),
  /** By project id; of a project that is not named everything is told. */
  projects: z.record(z.string(), z.enum(['all', 'none'])).default({}),
});
export type Notifications = z.infer<typeof Notifications>;

/** What only the desktop has. */
export const Desktop = z.strictObject({
  /** The machine does not go to sleep by itself while runs are at work. */
  keepAwake: z.boolean().default(true),
  /** Closing the last window keeps the app in the tray. */
  closeToTray: z.boolean().default(true),
  /** An installed app looks for newer versions of itself, where its package says where they are. */
  checkForUpdates: z.boolean().default(true),
});
export type Desktop = z.infer<typeof Desktop>;

/** `$ESPALIER_HOME/settings.json`, and `espalier.json` of a trusted project. Unknown keys are kept and reported, not dropped. */
export const Settings = z.looseObject({
  version: z.literal(1).default(1),
  providers: z.record(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), ProviderSettings).default({}),
  agents: z.record(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), AgentSettings).default({}),
  /** MCP servers by name. An agent gets those that its `mcp_servers` names. */
  mcpServers: z.record(z.string().regex(/^[A-Za-z0-9_-]{1,32}$/), McpServerSettings).optional(),
  /** `<provider id>/<model>`. */
  defaultModel: z.string().optional(),
  defaultAgent: z.string().default('general'),
  permission: Permission.default('ask'),
  isolation: Isolation.default('none'),
  /** Tries of a model request after a transient error (R8). */
  retries: z.number().int().min(0).max(20).default(5),
  /** Program and arguments that open a file; `{path}` and `{line}` are replaced. Not set: an editor that is found. */
  editor: z.array(z.string().min(1)).min(1).optional(),
  limits: Limits.prefault({}),
  retention: Retention.prefault({}),
  notifications: Notifications.prefault({}),
  desktop: Desktop.prefault({}),
});
export type Settings = z.infer<typeof Settings>;
