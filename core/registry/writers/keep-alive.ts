/**
 * Keeps the process alive until the returned function is called. Timers of the injected clock do not, but a write that
 * was accepted and waits for a lock has to be finished.
 */
export function keepAlive(): () => void {
  const timer = setInterval(() => undefined, 2 ** 30);
  return () => clearInterval(timer);
}
