import type { Permission, RunLimits } from '../settings.ts';

/** Who sees to it that a limit or ceiling is kept: the agent itself or our own supervision, we by watching its stream, or nobody (R11). */
export type Enforcement = 'enforced' | 'watched' | 'unsupported';

/** An enforcement, and in words for people how, or why not. */
export interface Support {
  readonly by: Enforcement;
  readonly how: string;
}

/** How a message reaches an agent that is at work, and how we know that it did (C2). */
export interface SteerSupport {
  /**
   * `prompt`: one more prompt joins the turn that runs. `interrupt`: the turn is cancelled at a safe boundary and the text begins the next one.
   * `extension`: a request of the agent's own puts it into the turn. `stream`: one more line on its input.
   */
  readonly method: 'prompt' | 'interrupt' | 'extension' | 'stream';
  /** `delivered`: the agent acknowledges that it is part of its turn. `handed_over`: it was given to the agent, and nothing proves that it was read. */
  readonly proof: 'delivered' | 'handed_over';
  readonly how: string;
}

/** Where a model request of the agent goes, as far as its configuration tells; for the connection preflight. */
export type EndpointHint =
  /** The first of these environment variables that is set, else the fixed address (null: then it is not known). */
  | { readonly type: 'variable'; readonly names: readonly string[]; readonly otherwise: string | null }
  /** `base_url` of the chosen provider in a TOML file below the home folder (codex); `home` names a variable with another folder. */
  | { readonly type: 'codex_config'; readonly home: string; readonly otherwise: string }
  /** `baseURL` of the chosen model's provider, in a variable with a whole configuration or in a file below the home folder (opencode). */
  | { readonly type: 'opencode_config'; readonly variable: string };

/** How an agent tells what it used. `turn`: after each turn, of that turn. `session`: sums since the session began. `none`: nothing. */
export interface UsageSupport {
  readonly tokens: 'turn' | 'session' | 'none';
  readonly cost: 'reported' | 'none';
  readonly how: string;
}

/** What we know of one external agent program (R11). Data: nothing here runs anything. */
export interface AgentProfile {
  /** Id of the agent that exists without any settings, and the name that `adapter` of other agents refers to. Unique. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly runner: 'acp' | 'cli';
  readonly description: string;
  readonly program: { readonly command: string; readonly args: readonly string[] };
  /** Variables that it is started with; those of the agent's definition win. */
  readonly env: Readonly<Record<string, string>>;
  /** More variables for each permission mode, where the agent has no mode of its own that asks (A1). */
  readonly permission_env?: Readonly<Record<Permission, Readonly<Record<string, string>>>>;
  /** The variable that says how often it tries a failed request again: set to the setting `retries`. */
  readonly retries_variable?: string;
  /** How to get the program. */
  readonly install: string;
  /** What to do when it has no login. */
  readonly sign_in: string;
  readonly start: {
    /** Its start keeps a processor busy for seconds: few are started at once. */
    readonly heavy: boolean;
    /** A name of the files that it shares with others, which two starts at once can damage: one becomes ready after the other (R1). Null: none. */
    readonly exclusive: string | null;
  };
  readonly limits: Readonly<Record<keyof RunLimits, Support>>;
  /** The ceiling of tools (K3). */
  readonly ceiling: Support;
  /** Null: it cannot be steered while it works. */
  readonly steer: SteerSupport | null;
  readonly usage: UsageSupport;
  /** Whether a run pauses at a safe boundary once it is at work (R9). */
  readonly pause: { readonly at: 'boundary' | 'never'; readonly how: string };
  /** Whether an ended run can be gone on with in the agent's own session (C5). */
  readonly continues: Support;
  /** Whether it works in a worktree of its own (its working folder is the one that it is told). */
  readonly worktree: Support;
  /** Whether the delegate server reaches its model. */
  readonly delegates: Support;
  readonly endpoint: EndpointHint | null;
  /** Per permission mode, ids of its own modes, the first that it offers counts; without one its own default stays. */
  readonly modes: Readonly<Partial<Record<Permission, readonly string[]>>>;
  /** Its name of each of our tools that has one, for a ceiling that it enforces. */
  readonly tool_names: Readonly<Record<string, readonly string[]>>;
  /** Where what stands here is known from: a program that our tests run, or documentation. */
  readonly source: string;
  /** Means by which its failures are told apart (T3), for people. */
  readonly failures: string;
}
