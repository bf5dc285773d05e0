/** What went away under the app. */
export type CrashKind = 'page' | 'gpu';

/** What to do: `reload` the page at once, `ask` whether to go on in safe mode, or nothing as Chromium starts it again by itself. */
export type CrashAnswer = 'reload' | 'ask' | 'nothing';

/** So many within this time is no accident any more. */
const MOST = 3;
const WITHIN_MS = 60_000;

/** Decides after a crash; `times` are those of the same kind so far, epoch ms, with this one. Workers and core are not touched by any of it. */
export function afterCrash(kind: CrashKind, times: readonly number[], now: number): CrashAnswer {
  const recent = times.filter((at) => now - at < WITHIN_MS).length;
  if (recent >= MOST) return 'ask';
  return kind === 'page' ? 'reload' : 'nothing';
}
