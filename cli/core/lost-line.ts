/** The line to the core broke while it was listened to. */
export class LostLine extends Error {}

/** Whether a call failed because the line to the core broke, and not because the core said something. */
export function isLost(error: unknown): boolean {
  if (error instanceof LostLine) return true;
  if (!(error instanceof Error)) return false;
  const { data } = error as { data?: unknown };
  return (
    data === undefined &&
    (error.name === 'AbortError' || /WebSocket is not open|was closed|aborted/i.test(error.message))
  );
}
