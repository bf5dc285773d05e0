import { LinuxProcesses } from './linux-processes.ts';
import { MacProcesses } from './mac-processes.ts';
import type { ProcessIdentity, ProcessSource } from './process-entry.ts';
import { runSystemCommand } from './run-command.ts';
import { RUN_MARKER } from './tool-environment.ts';
import { WindowsProcesses } from './windows-processes.ts';

/** The source of processes for this machine. */
export function hostProcesses(platform: NodeJS.Platform = process.platform): ProcessSource {
  if (platform === 'linux') return new LinuxProcesses(RUN_MARKER);
  if (platform === 'win32') return new WindowsProcesses(runSystemCommand);
  return new MacProcesses(RUN_MARKER, runSystemCommand);
}

let shared: ProcessSource | undefined;

/** Identity of a living (or not yet reaped) process; null when there is none with this pid. */
export function processIdentity(pid: number): Promise<ProcessIdentity | null> {
  shared ??= hostProcesses();
  return shared.identify(pid);
}

/** True while the very process is alive: a zombie, or another program under the same pid, is not (case 40). */
export async function isSameProcess(identity: ProcessIdentity): Promise<boolean> {
  shared ??= hostProcesses();
  return (await shared.living([identity])).length === 1;
}
