/** A short name for each model: without its provider where that is enough to tell it from the others. */
export function modelNames(refs: readonly string[]): ReadonlyMap<string, string> {
  const short = (ref: string): string => ref.slice(ref.indexOf('/') + 1);
  const seen = new Map<string, number>();
  for (const ref of refs) seen.set(short(ref), (seen.get(short(ref)) ?? 0) + 1);
  return new Map(refs.map((ref) => [ref, seen.get(short(ref)) === 1 ? short(ref) : ref]));
}
