import { freshId, idsOf, type Draft, type Row } from './draft.ts';
import { listOf, objectOf, textOf, withField } from './task-fields.ts';

/** What a task waits for: places of other tasks (0-based), names that no task has, and whether any outcome will do. */
export interface After {
  readonly places: readonly number[];
  readonly unknown: readonly string[];
  readonly anyOutcome: boolean;
}

function saidIn(draft: Draft, row: Row): After['unknown'] {
  return 'depends_on' in row.task
    ? listOf(row.task, 'depends_on')
    : listOf(objectOf(draft.head, 'defaults'), 'depends_on');
}

/** What every task waits for, in the order of the rows. */
export function afterOf(draft: Draft): readonly After[] {
  const placeOf = new Map<string, number>();
  draft.rows.forEach(({ task }, place) => {
    const id = textOf(task, 'id');
    if (id !== '' && !placeOf.has(id)) placeOf.set(id, place);
  });
  const byDefault = objectOf(draft.head, 'defaults')['depends_on_any_outcome'] === true;
  return draft.rows.map((row) => {
    const places = new Set<number>();
    const unknown: string[] = [];
    for (const id of saidIn(draft, row)) {
      const place = placeOf.get(id);
      if (place === undefined) unknown.push(id);
      else places.add(place);
    }
    const own = row.task['depends_on_any_outcome'];
    return {
      places: [...places].sort((a, b) => a - b),
      unknown,
      anyOutcome: own === undefined ? byDefault : own === true,
    };
  });
}

/** Places as people read them, 1-based: `1, 5`, `1–7`. */
export function placesInWords(places: readonly number[]): string {
  const parts: string[] = [];
  for (let at = 0; at < places.length; at += 1) {
    const from = places[at] ?? 0;
    let to = from;
    while (places[at + 1] === to + 1) {
      at += 1;
      to += 1;
    }
    if (to === from) parts.push(String(from + 1));
    else parts.push(to === from + 1 ? `${from + 1}, ${to + 1}` : `${from + 1}–${to + 1}`);
  }
  return parts.join(', ');
}

/** Places from `1, 3-5`; null when it is no such list, names the task itself, or a task that is not there. */
export function readPlaces(text: string, count: number, self: number): readonly number[] | null {
  const places = new Set<number>();
  for (const part of text.split(/[\s,;]+/).filter((one) => one !== '')) {
    const match = /^(\d+)(?:[-–](\d+))?$/.exec(part);
    if (match === null) return null;
    const from = Number(match[1]);
    const to = Number(match[2] ?? match[1]);
    if (from < 1 || to > count || to < from) return null;
    for (let number = from; number <= to; number += 1) places.add(number - 1);
  }
  return places.has(self) ? null : [...places].sort((a, b) => a - b);
}

/** Makes a task wait for others; those without an id get one, by which it can name them. */
export function withAfter(draft: Draft, key: string, places: readonly number[], anyOutcome: boolean): Draft {
  const taken = new Set(idsOf(draft.rows));
  const wanted = new Set(places);
  const named = draft.rows.map((row, place): Row => {
    if (!wanted.has(place) || textOf(row.task, 'id') !== '') return row;
    const id = freshId(`task-${place + 1}`, taken);
    taken.add(id);
    return { ...row, task: { id, ...row.task } };
  });
  const ids = [...wanted]
    .sort((a, b) => a - b)
    .flatMap((place) => (named[place] === undefined ? [] : textOf(named[place].task, 'id')));
  const rows = named.map((row): Row => {
    if (row.key !== key) return row;
    // A default of the batch is answered by an empty list of the task's own.
    const list = ids.length > 0 || listOf(objectOf(draft.head, 'defaults'), 'depends_on').length > 0 ? ids : undefined;
    const task = withField(row.task, 'depends_on', list);
    return { ...row, task: withField(task, 'depends_on_any_outcome', anyOutcome && ids.length > 0 ? true : undefined) };
  });
  return { ...draft, rows };
}
