import type { Clock } from '../core/kit/clock.ts';
import type { Random } from '../core/kit/random.ts';
import type { Cores } from './core/cores.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Everything a command has to work with. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly cores: Cores;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder in which the command was typed. */
  readonly cwd: string;
  /** The data folder. */
  readonly home: string;
  /** Folder of the package. */
  readonly root: string;
  readonly version: string;
  readonly clock: Clock;
  readonly random: Random;
}
