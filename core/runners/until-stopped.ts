/** Settles as `work` does, or rejects with the signal's reason as soon as it is aborted. What `work` brings later is dropped. */
export async function untilStopped<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  if (signal.aborted) throw signal.reason;
  let onAbort = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
