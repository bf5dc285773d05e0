/** `12s` below two minutes, whole minutes from there on: 150 s is `3 min` (L4, L5). `seconds` is clamped at 0. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return whole < 120 ? `${whole}s` : `${Math.round(whole / 60)} min`;
}
