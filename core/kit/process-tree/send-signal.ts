/** `kill(2)`. A process that is gone or not ours to signal is no error here: the next listing tells what is still there. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    return;
  }
}
