import { isSameProcess } from '../../kit/process-tree/host-processes.ts';
import { err, type Result } from '../../kit/result.ts';
import { readCoreInfo, type CoreInfo } from '../../registry/lock/core-info.ts';
import type { ConnectError, LocalConnection } from './local-connection.ts';

/** How long a core that runs may take to let a client in, and one that is still being loaded. */
const CONNECT_MS = 5_000;
const STARTING_MS = 60_000;

/**
 * Connects to the running core of a data folder as a client and compares protocol versions (D2, case 55). That nothing
 * runs there is an expected answer, also when a core that was killed left its `core.json` behind.
 */
export async function connectLocal(home: string, name: string): Promise<Result<LocalConnection, ConnectError>> {
  const info = readCoreInfo(home);
  if (info === null) return err({ code: 'not_running', message: `No core runs on ${home}.` });
  const { apiSocket } = info;
  if (apiSocket === null) {
    // One that was killed while it started left this word, which nobody takes back.
    if (!(await isAlive(info))) return err({ code: 'not_running', message: `No core runs on ${home}.` });
    const why = info.obstacle === undefined ? '' : ` ${info.obstacle}`;
    return err({ code: 'starting', message: `The core on ${home} is still starting.${why}` });
  }
  // Only where a core runs: who starts one does not pay for it.
  const { connectSocket } = await import('./connect-socket.ts');
  return connectSocket(home, { apiSocket, waitMs: info.starting === true ? STARTING_MS : CONNECT_MS }, name);
}

/** False only where it is known: a system that cannot tell processes with one pid apart leaves it open. */
async function isAlive({ pid, startTime }: CoreInfo): Promise<boolean> {
  return startTime === null || (await isSameProcess({ pid, startTime }));
}
