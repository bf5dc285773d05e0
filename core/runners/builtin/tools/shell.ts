import { existsSync } from 'node:fs';
import { cmdArguments } from '../../../kit/process-tree/cmd-line.ts';

export interface Shell {
  readonly file: string;
  /** Arguments that run `command`. */
  args(command: string): string[];
}

let found: Shell | null = null;

/** The shell that runs commands: bash where it is, else `/bin/sh`, on Windows the command interpreter. Never a login shell. */
export function commandShell(environment: Readonly<Record<string, string>>): Shell {
  found ??= findShell(environment, process.platform);
  return found;
}

function findShell(environment: Readonly<Record<string, string>>, platform: NodeJS.Platform): Shell {
  if (platform === 'win32') {
    return { file: environment['ComSpec'] ?? 'cmd.exe', args: cmdArguments };
  }
  const file = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((path) => existsSync(path)) ?? '/bin/sh';
  return { file, args: (command) => ['-c', command] };
}

/** Programs that wait for a person or page their output would hang a call; these say that nobody is there. */
const UNATTENDED: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
};

/** The environment of a command: what the run has, with nobody to page or prompt for. */
export function commandEnvironment(environment: Readonly<Record<string, string>>): Record<string, string> {
  return { ...environment, ...UNATTENDED };
}
