import { delimiter, dirname } from 'node:path';
import type { Clock } from '../../kit/clock.ts';
import { knownFolders } from './known-folders.ts';
import { loginShellEnvironment, loginShellOf, type LoginShellOptions } from './login-shell.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How a program was found. */
export type FoundBy = 'path' | 'login_shell' | 'known_folder';

/** What became of asking the login shell for its PATH. */
interface ShellAnswer {
  readonly shell: string;
  /** Null when it gave none in time. */
  readonly environment: Environment | null;
  /** Milliseconds. */
  readonly took: number;
}

/** Where a process that hosts a core looks for programs (B03). */
export interface HostPathOptions {
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  /** `always`: a start from the desktop never has the person's PATH; `bare`: only when the PATH holds nothing but the system's folders. */
  readonly ask: 'always' | 'bare';
  readonly run?: LoginShellOptions['run'];
}

/** Folders that every process has; a PATH of these alone was made by no person's shell. */
const SYSTEM_FOLDERS = /^(?:\/usr)?(?:\/local)?\/(?:s?bin|games)$|^\/snap\/bin$|^\/usr\/local\/games$/;

/**
 * The PATH of a core: what the login shell says, then what this process was started with, then folders in which programs are usually installed. It knows
 * how each came in, and asks again when the shell said nothing: an empty answer is never kept.
 */
export class HostPath {
  readonly #options: HostPathOptions;
  #answer: ShellAnswer | null;
  /** Given to the core; its PATH is another one after {@link HostPath.lookAgain}. */
  readonly environment: Record<string, string | undefined>;

  private constructor(options: HostPathOptions, answer: ShellAnswer | null) {
    this.#options = options;
    this.#answer = answer;
    this.environment = { ...(answer?.environment ?? options.environment) };
    this.environment['PATH'] = this.#path();
  }

  /** Asks the login shell where that is needed; takes 5 s at most. */
  static async open(options: HostPathOptions): Promise<HostPath> {
    return new HostPath(options, isAsked(options) ? await askShell(options) : null);
  }

  /** How a program came to be found, by its absolute path. */
  foundBy(program: string): FoundBy {
    const folder = dirname(program);
    if (foldersOf(this.#options.environment).includes(folder)) return 'path';
    return foldersOf(this.#answer?.environment ?? {}).includes(folder) ? 'login_shell' : 'known_folder';
  }

  /** Whether the shell was asked and gave no answer. */
  get isLacking(): boolean {
    return this.#answer !== null && this.#answer.environment === null;
  }

  /** How the PATH came about, in words. */
  get words(): string {
    const { ask } = this.#options;
    if (this.#answer === null) {
      return ask === 'bare' ? 'as this program was started with it, and known folders' : 'as the system gives it';
    }
    const { shell, environment, took } = this.#answer;
    const seconds = `${(took / 1000).toFixed(1)} s`;
    if (environment !== null) return `from the login shell ${shell} in ${seconds}, and known folders`;
    return `the login shell ${shell} gave no answer (${seconds}), so only what this program was started with and known folders. It is asked again at each check; if its start files wait for something, mend that, or name the programs by their whole paths`;
  }

  /** Asks the shell again if it said nothing, and looks for new folders. Answers the PATH that holds from now on. */
  async lookAgain(): Promise<string> {
    if (this.isLacking) {
      this.#answer = await askShell(this.#options);
      for (const [name, value] of Object.entries(this.#answer.environment ?? {})) this.environment[name] ??= value;
    }
    return (this.environment['PATH'] = this.#path());
  }

  #path(): string {
    const { environment, platform } = this.#options;
    const folders = [
      ...foldersOf(this.#answer?.environment ?? environment),
      ...foldersOf(environment),
      ...knownFolders(this.#answer?.environment ?? environment, platform),
    ];
    return [...new Set(folders)].join(delimiter);
  }
}

/** A terminal has the person's PATH; what a service manager or another app starts often has not. */
function isAsked({ ask, environment, platform }: HostPathOptions): boolean {
  if (platform === 'win32' || environment['ESPALIER_RESOLVING_ENVIRONMENT'] !== undefined) return false;
  // Accounts of services have no shell.
  if (/\/(?:nologin|false|true)$/.test(environment['SHELL'] ?? '')) return false;
  return ask === 'always' || foldersOf(environment).every((folder) => SYSTEM_FOLDERS.test(folder));
}

async function askShell(options: HostPathOptions): Promise<ShellAnswer> {
  const { clock, environment } = options;
  const before = clock.monotonic();
  const found = await loginShellEnvironment(options);
  const took = Math.round(clock.monotonic() - before);
  return { shell: loginShellOf(options), environment: found === environment ? null : found, took };
}

function foldersOf(environment: Environment): string[] {
  return (environment['PATH'] ?? environment['Path'] ?? '').split(delimiter).filter((folder) => folder !== '');
}
