import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

/**
 * The user's home folder, always absolute: an empty or relative `HOME` would mean the folder in which a command was typed, and what a
 * project keeps there would count as the user's own (A4).
 */
export function homeFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const named = [environment['HOME'], environment['USERPROFILE'], homedir()];
  return named.find((path) => path !== undefined && isAbsolute(path)) ?? userInfo().homedir;
}
