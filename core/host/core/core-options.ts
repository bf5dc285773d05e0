import type { Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import type { Random } from '../../kit/random.ts';
import type { PoolTimings } from '../../workers/local/pool-context.ts';

/** Where the PATH of a core is from (B03). */
export interface PathOrigin {
  /** How a program came to be found, by its absolute path. */
  foundBy(program: string): 'path' | 'login_shell' | 'known_folder';
  readonly words: string;
  /** The login shell was asked, and said nothing. */
  readonly isLacking: boolean;
  /** Looks again; answers the PATH that holds from now on. */
  lookAgain(): Promise<string>;
}

/** How a process hosts a core. */
export interface CoreOptions {
  /** The data folder. */
  readonly home: string;
  readonly version: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Folder of the package: `migrations/`, `assets/` and `dist/` are below it. */
  readonly packageRoot: string;
  /** The worker's program, run by the host's own runtime; default: `dist/worker/child.js`. */
  readonly workerEntry?: string;
  /** Variables for tools and keys: the user's login-shell environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How the PATH of the environment came about; without it, it is as it is. */
  readonly path?: PathOrigin;
  /** Milliseconds for which an ask waits when no client can answer; 0 when nobody will come (A1). */
  readonly unattendedMs: number;
  /** Workers kept ready; at most 2 *(default)*. */
  readonly warmWorkers?: number;
  /** Told what keeps the core from coming up, and with null that it is gone (D6). */
  readonly onObstacle?: (words: string | null) => void;
  /** How long workers are waited for, where that is not to be as usual; for tests. */
  readonly workerTimings?: Partial<PoolTimings>;
}
