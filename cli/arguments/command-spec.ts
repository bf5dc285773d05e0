import type { CommandContext } from '../command-context.ts';
import type { ExitStatus } from '../exit-status.ts';

/** One option of a command. */
export interface OptionSpec {
  /** What its value is called; without one it is a flag. */
  readonly value?: string;
  readonly help: string;
  /** Values that it takes. */
  readonly choices?: readonly string[];
  /** Its value is a number. */
  readonly number?: 'positive' | 'whole' | 'port';
  /** The largest number that it takes. */
  readonly most?: number;
}

/** The arguments of a command, checked. */
export interface ParsedArguments {
  readonly positionals: readonly string[];
  flag(name: string): boolean;
  text(name: string): string | undefined;
  number(name: string): number | undefined;
}

/** The code of a command, loaded when it is used. */
export interface CommandModule {
  run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus>;
}

/** What is known of a command before its code is loaded. */
export interface CommandSpec {
  /** One word, or two. */
  readonly name: string;
  /** Positional arguments, as help shows them. */
  readonly usage: string;
  readonly summary: string;
  /** How many positional arguments it takes. */
  readonly takes: { readonly min: number; readonly max: number };
  /** A positional argument may be blank: it is a value, and no name or text. */
  readonly takesBlank?: boolean;
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Its exit statuses where they are not those of all others. */
  readonly status?: readonly string[];
  /** More lines of its help, and of the help of its group. */
  readonly more?: () => readonly string[];
  /** For the program itself: not shown in help. */
  readonly hidden?: boolean;
  load(): Promise<CommandModule>;
}
