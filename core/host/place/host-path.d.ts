import type { Clock } from '../../kit/clock.ts';
import { type LoginShellOptions } from './login-shell.ts';
type Environment = Readonly<Record<string, string | undefined>>;
/** How a program was found. */
export type FoundBy = 'path' | 'login_shell' | 'known_folder';
/** Where a process that hosts a core looks for programs (B03). */
export interface HostPathOptions {
    readonly environment: Environment;
    readonly platform: NodeJS.Platform;
    readonly clock: Clock;
    /** `always`: a start from the desktop never has the person's PATH; `bare`: only when the PATH holds nothing but the system's folders. */
    readonly ask: 'always' | 'bare';
    readonly run?: LoginShellOptions['run'];
}
/**
 * The PATH of a core: what the login shell says, then what this process was started with, then folders in which programs are usually installed. It knows
 * how each came in, and asks again when the shell said nothing: an empty answer is never kept.
 */
export declare class HostPath {
    #private;
    /** Given to the core; its PATH is another one after {@link HostPath.lookAgain}. */
    readonly environment: Record<string, string | undefined>;
    private constructor();
    /** Asks the login shell where that is needed; takes 5 s at most. */
    static open(options: HostPathOptions): Promise<HostPath>;
    /** How a program came to be found, by its absolute path. */
    foundBy(program: string): FoundBy;
    /** Whether the shell was asked and gave no answer. */
    get isLacking(): boolean;
    /** How the PATH came about, in words. */
    get words(): string;
    /** Asks the shell again if it said nothing, and looks for new folders. Answers the PATH that holds from now on. */
    lookAgain(): Promise<string>;
}
export {};
