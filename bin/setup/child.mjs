import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

/**
 * Two signals closer than this are one: a terminal signals the whole group, and npm then forwards the same signal again.
 * A person's second Ctrl-C is later than that.
 */
const SAME_SIGNAL_MS = 200;
const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs a program to its end with our stdio and gives its exit status (128 + signal number when a signal ended it).
 * Signals that reach us reach it, once; it does not outlive us.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { ownGroup?: boolean }} [options] `ownGroup`: the terminal's own
 *   signals do not reach the child, only ours; for programs that do not read from the terminal.
 * @returns {Promise<number>}
 */
export function runToEnd(command, args, { ownGroup = false, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options, detached: ownGroup });
    const stopForwarding = forwardSignals(child, ownGroup);
    child.once('error', (error) => {
      stopForwarding();
      console.error(`cannot start ${command}: ${error.message}`);
      resolve(127);
    });
    child.once('exit', (code, signal) => {
      stopForwarding();
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {boolean} ownGroup
 * @returns {() => void}
 */
function forwardSignals(child, ownGroup) {
  /** @type {Map<NodeJS.Signals, number>} */
  const last = new Map();
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => {
    // In the foreground of a terminal the child has had this Ctrl-C already; a second would mean "now kill".
    if (signal === 'SIGINT' && !ownGroup && isTerminalForeground()) return;
    const now = performance.now();
    if (now - (last.get(signal) ?? -Infinity) >= SAME_SIGNAL_MS) child.kill(signal);
    last.set(signal, now);
  };
  const killWithUs = () => child.kill('SIGTERM');
  for (const signal of FORWARDED) process.on(signal, forward);
  process.once('exit', killWithUs);
  return () => {
    for (const signal of FORWARDED) process.off(signal, forward);
    process.off('exit', killWithUs);
  };
}

/** Whether this process group is the one that the terminal's Ctrl-C reaches. */
function isTerminalForeground() {
  if (process.platform !== 'linux') return process.stdin.isTTY === true;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const [, , , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 1).split(' ');
  return group === foreground;
}
