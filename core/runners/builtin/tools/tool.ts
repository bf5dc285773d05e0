import type { Clock } from '../../../kit/clock.ts';
import type { Result } from '../../../kit/result.ts';
import type { ToolDisplay } from '../../../protocol/entry.ts';
import type { BackgroundProcesses } from './background-processes.ts';
import type { Programs } from './programs.ts';

/** What a tool needs beyond reading (A1): a file edit asks in `ask`, running something asks in `ask` and `edit`. */
export type ToolPermission = 'free' | 'edit' | 'execute';

/** JSON Schema of a tool's arguments; the built-in tools use the part that `ToolArguments` describes. */
export interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  readonly additionalProperties: boolean;
}

/** A tool of the built-in loop: data for the model, and the function that does it. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  /** Changes nothing: several may run at once, and it stays usable above the tool-call limit (R4). */
  readonly readOnly: boolean;
  readonly permission: ToolPermission;
  /** The arguments if they fit the schema, else what is wrong, naming the field. */
  check(args: Readonly<Record<string, unknown>>): Result<Readonly<Record<string, unknown>>, string>;
  /** One line of activity (`Editing src/a.ts`), of arguments that passed `check`. */
  describe(args: Readonly<Record<string, unknown>>): string;
  /** Does it. Every expected failure is a result with `isError`; a rejection is a bug of the tool. */
  run(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult>;
}

/** What a call may use. */
export interface ToolContext {
  /** Absolute path of the folder the run works in. */
  readonly workspace: string;
  readonly runId: string;
  /** Aborted when the run is stopped: the tool ends what it started and answers with what it has. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Where full outputs are kept (private; created when first needed). The read-only tools may read it. */
  readonly spillFolder: string;
  /** Folders of the run's skills; the read-only tools may read them. */
  readonly skillFolders?: readonly string[];
  /** Environment of programs (K5). */
  readonly environment: Readonly<Record<string, string>>;
  readonly programs: Programs;
  readonly background: BackgroundProcesses;
  /** Output while it comes, for people: colours kept, nothing that acts on a terminal; bounded. */
  onOutput(chunk: string): void;
  /** A file of the workspace was read or written; relative to the workspace, with `/`. */
  onFile(kind: 'read' | 'write', path: string): void;
}

/** Folders beside the workspace that the read-only tools may read. */
export function readableFolders({ spillFolder, skillFolders = [] }: ToolContext): string[] {
  return [spillFolder, ...skillFolders];
}

export interface ToolImage {
  readonly mediaType: string;
  readonly base64: string;
}

/** The answer to one call. */
export interface ToolResult {
  readonly isError: boolean;
  /** For the model: bounded, without escapes. */
  readonly text: string;
  /** For people. */
  readonly display?: ToolDisplay;
  /** For models that take images. */
  readonly images?: readonly ToolImage[];
}

/** A failed call; `text` says what to do. */
export function failure(text: string): ToolResult {
  return { isError: true, text };
}
