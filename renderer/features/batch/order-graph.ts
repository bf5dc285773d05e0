/** One task as a box. Pixels. */
export interface GraphNode {
  readonly place: number;
  readonly x: number;
  readonly y: number;
}

export interface OrderGraph {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly GraphNode[];
  /** SVG paths. */
  readonly edges: readonly string[];
}

export const NODE = { width: 28, height: 20 } as const;
const ROW = 28;
const WIDEST_COLUMN = 68;
/** Narrower, and a wire has no room to turn. */
const NARROWEST_COLUMN = 48;
const CORNER = 6;
/** Where a wire turns, before the box that it leads to. */
const TURN = 14;

type Waits = readonly (readonly number[])[];

/** For each task its column: one after the last that it waits for. Tasks in a circle are left in the first. */
export function columnsOf(waits: Waits): readonly number[] {
  const columns = waits.map(() => -1);
  const open = new Set<number>();
  const visit = (place: number): number => {
    const known = columns[place] ?? 0;
    if (known >= 0) return known;
    if (open.has(place)) return 0;
    open.add(place);
    const before = waits[place] ?? [];
    const column = before.length === 0 ? 0 : 1 + Math.max(...before.map(visit));
    open.delete(place);
    columns[place] = column;
    return column;
  };
  waits.forEach((_, place) => visit(place));
  return columns;
}

/** The places of a circle of tasks that wait for each other, or null. */
export function circleIn(waits: Waits): readonly number[] | null {
  const state = waits.map(() => 'new');
  const path: number[] = [];
  const visit = (place: number): readonly number[] | null => {
    if (state[place] === 'open') return path.slice(path.indexOf(place));
    if (state[place] === 'done') return null;
    state[place] = 'open';
    path.push(place);
    for (const before of waits[place] ?? []) {
      const circle = visit(before);
      if (circle !== null) return circle;
    }
    path.pop();
    state[place] = 'done';
    return null;
  };
  for (const place of waits.keys()) {
    const circle = visit(place);
    if (circle !== null) return circle;
  }
  return null;
}

/** The waits that say something new: not those that hold already because of another one. */
function withoutDetours(waits: Waits): Waits {
  const all = waits.map(() => new Set<number>());
  const columns = columnsOf(waits);
  const order = [...waits.keys()].sort((a, b) => (columns[a] ?? 0) - (columns[b] ?? 0));
  for (const place of order) {
    for (const before of waits[place] ?? []) {
      all[place]?.add(before);
      for (const further of all[before] ?? []) all[place]?.add(further);
    }
  }
  return waits.map((list) => list.filter((one) => !list.some((other) => other !== one && all[other]?.has(one))));
}

/** The lane of each task: tasks that continue one another share one, others get the next; a join lies amid its lanes. */
function lanesOf(waits: Waits, columns: readonly number[]): readonly number[] {
  const lanes = waits.map(() => -1);
  const taken = new Set<string>();
  const take = (place: number, wanted: number): void => {
    let lane = wanted;
    while (taken.has(`${columns[place]} ${lane}`)) lane += 1;
    taken.add(`${columns[place]} ${lane}`);
    lanes[place] = lane;
  };
  const main = (place: number): number | undefined =>
    [...(waits[place] ?? [])].sort((a, b) => (columns[b] ?? 0) - (columns[a] ?? 0) || a - b)[0];
  const isJoin = (place: number): boolean => (waits[place] ?? []).length > 2;
  let next = 0;
  const follow = (place: number, lane: number): void => {
    take(place, lane);
    next = Math.max(next, (lanes[place] ?? 0) + 1);
    let first = true;
    for (const after of waits.keys()) {
      if (lanes[after] !== -1 || isJoin(after) || main(after) !== place) continue;
      follow(after, first ? lane : next);
      first = false;
    }
  };
  waits.forEach((list, place) => {
    if (list.length === 0) follow(place, next);
  });
  const rest = [...waits.keys()].filter((place) => lanes[place] === -1);
  rest.sort((a, b) => (columns[a] ?? 0) - (columns[b] ?? 0) || a - b);
  for (const place of rest) {
    const before = (waits[place] ?? []).map((one) => lanes[one] ?? 0).filter((lane) => lane >= 0);
    const middle = before.length === 0 ? next : Math.round(before.reduce((sum, lane) => sum + lane, 0) / before.length);
    take(place, middle);
    next = Math.max(next, (lanes[place] ?? 0) + 1);
  }
  return lanes;
}

function wire(from: GraphNode, to: GraphNode): string {
  const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2];
  const [x2, y2] = [to.x, to.y + NODE.height / 2];
  if (y1 === y2) return `M${x1} ${y1}H${x2}`;
  const down = y2 > y1 ? CORNER : -CORNER;
  const turn = x2 - TURN;
  return `M${x1} ${y1}H${turn - CORNER}q${CORNER} 0 ${CORNER} ${down}V${y2 - down}q0 ${down} ${CORNER} ${down}H${x2}`;
}

/** Where the boxes and wires of the order of work lie. `width` is what there is, in pixels; a long chain may need more. */
export function layoutOrder(waits: Waits, width: number): OrderGraph {
  const columns = columnsOf(waits);
  const said = circleIn(waits) === null ? withoutDetours(waits) : waits;
  const lanes = lanesOf(said, columns);
  const last = Math.max(0, ...columns);
  const fitting = last === 0 ? WIDEST_COLUMN : Math.floor((width - NODE.width - 1) / last);
  const pitch = Math.max(NARROWEST_COLUMN, Math.min(WIDEST_COLUMN, fitting));
  const nodes = waits.map((_, place): GraphNode => ({
    place,
    x: (columns[place] ?? 0) * pitch + 0.5,
    y: (lanes[place] ?? 0) * ROW + 0.5,
  }));
  const edges = said.flatMap((list, place) =>
    list.flatMap((before) => {
      const [from, to] = [nodes[before], nodes[place]];
      return from === undefined || to === undefined || from.x >= to.x ? [] : [wire(from, to)];
    }),
  );
  return {
    width: Math.max(width, last * pitch + NODE.width + 1),
    height: (Math.max(0, ...lanes) + 1) * ROW - (ROW - NODE.height) + 1,
    nodes,
    edges,
  };
}

/** How many tasks each step of the work has, when a picture of all of them would say less. */
export function stepsOf(waits: Waits): readonly number[] {
  const steps: number[] = [];
  for (const column of columnsOf(waits)) steps[column] = (steps[column] ?? 0) + 1;
  return Array.from(steps, (count) => count ?? 0);
}
