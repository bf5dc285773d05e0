import type { Bridge } from '../../mcp/bridge/open-bridge.ts';
import type { Assignment } from '../../protocol/frames.ts';
import type { AgentEvent } from './agent-event.ts';
import type { Json } from './json.ts';

/** What an adapter is made from; new for each start of the program. */
export interface AdapterContext {
  readonly assignment: Assignment;
  /** Our MCP server, for its configuration; null when nothing is offered. */
  readonly server: Bridge['server'] | null;
  /** The agent's session that is gone on with. */
  readonly session: string | null;
  /** The text of the first prompt, for agents that are told it at their start; it goes to their standard input (K4). */
  readonly prompt: string;
  readonly emit: (event: AgentEvent) => void;
  /** Writes one line of JSON to its standard input. */
  readonly send: (message: Json) => void;
}

/** How the program is started, beside what its definition says. */
export interface Launch {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Text for its standard input, which is closed after it: the program serves one prompt and ends. Null: it stays open for lines. */
  readonly input: string | null;
}

/** One program that runs, as the runner talks to it: translates between its JSON lines and {@link AgentEvent}. */
export interface CliAgent {
  readonly launch: Launch;
  /** The program runs: whatever has to be said first. */
  begin(): void;
  /** Begins a turn. Not called for a program that serves one prompt. */
  prompt(text: string): void;
  /** One line of its standard output, parsed. */
  take(message: Json): void;
  /** Puts a text into the turn that runs; null where that cannot be done. */
  readonly steer: ((steerId: string, text: string) => void) | null;
  /** Ends the turn by its protocol; `turn_end` follows. Null where only signals help. */
  readonly interrupt: (() => void) | null;
  /** The program has ended with this status: for streams that do not say when a turn is over. */
  readonly ended?: (status: number | null) => void;
}

/** Makes the agent's side of one start. */
export type Adapter = (context: AdapterContext) => CliAgent;
