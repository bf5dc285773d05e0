import type { Life } from './lives.ts';

/** Runs that have begun, packed so that none in a lane overlap: the lanes are the places that a set had at once. */
export function lanesOf(
  ids: readonly string[],
  lives: ReadonlyMap<string, Life>,
): { readonly lanes: readonly (readonly string[])[]; readonly waiting: number } {
  const begun = ids.flatMap((id) => {
    const life = lives.get(id);
    const first = life?.stretches.find(({ kind }) => kind !== 'queued');
    if (life === undefined || first === undefined) return [];
    return [{ id, from: first.from, to: life.endedAt ?? Number.POSITIVE_INFINITY }];
  });
  begun.sort((a, b) => a.from - b.from);
  const lanes: { to: number; readonly ids: string[] }[] = [];
  for (const { id, from, to } of begun) {
    const lane = lanes.find((one) => one.to <= from);
    if (lane === undefined) lanes.push({ to, ids: [id] });
    else {
      lane.ids.push(id);
      lane.to = to;
    }
  }
  return { lanes: lanes.map((lane) => lane.ids), waiting: ids.length - begun.length };
}
