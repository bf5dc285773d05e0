/** What one call may carry. */
const MOST = 65_536;

/**
 * Sends what is typed in its order, one call after the other; what comes meanwhile goes together with the next. After a failure the rest is
 * dropped: half of a command line is worse than none.
 */
export function typist(send: (data: string) => Promise<unknown>): (data: string) => void {
  let waiting = '';
  let busy = false;
  const flush = async (): Promise<void> => {
    busy = true;
    try {
      while (waiting !== '') {
        const data = waiting.slice(0, MOST);
        waiting = waiting.slice(MOST);
        await send(data);
      }
    } catch {
      waiting = '';
    }
    busy = false;
  };
  return (data) => {
    waiting += data;
    if (!busy) void flush();
  };
}
