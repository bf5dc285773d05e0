/** A run that asks for one of the app's places (R1). */
export interface PlaceRequest {
  readonly run_id: string;
  /** Runs of one group share a cap and are served in order: a set's delegation id, or the lead itself. */
  readonly group: string;
  /** At most so many of the group at work. */
  readonly groupCap: number;
  /** It had a place and only waited: it is served before the rest of its group. */
  readonly head: boolean;
}

interface Group {
  cap: number;
  readonly waiting: string[];
  atWork: number;
}

/**
 * The app's places: FIFO within a set, round-robin over sets, a cap for the app and one per set (R1, S4). Plain data in
 * memory; rebuilt from rows before any start. All operations cost the same however many runs there are, but for the walk
 * over groups that have someone waiting.
 */
export class Admission {
  readonly #cap: () => number;
  readonly #groups = new Map<string, Group>();
  /** Groups with somebody waiting, the next to be served first. */
  #turn: string[] = [];
  readonly #places = new Map<string, string>();
  readonly #asked = new Map<string, string>();
  /** Turn of each run in its group, from its first request until it gives its place or claim back. */
  readonly #turnOf = new Map<string, number>();
  #first = 0;
  #last = 0;

  /** `cap` is read at every grant, so that a changed setting holds at once. */
  constructor(cap: () => number) {
    this.#cap = cap;
  }

  /** Runs that hold a place. */
  get atWork(): number {
    return this.#places.size;
  }

  /** Runs that hold a place or queue for one. */
  get known(): string[] {
    return [...this.#places.keys(), ...this.#asked.keys()];
  }

  /** Queues a run for a place; asking twice changes nothing. */
  ask(request: PlaceRequest): void {
    const { run_id, group: name, groupCap, head } = request;
    if (this.#places.has(run_id) || this.#asked.has(run_id)) return;
    this.#turnOf.set(run_id, head ? --this.#first : ++this.#last);
    this.#queue(run_id, this.#group(name, groupCap), name);
  }

  /** Gives a place back that was not taken up; the run queues for it where it did before. */
  putBack(runId: string): void {
    const name = this.#places.get(runId);
    const group = name === undefined ? undefined : this.#groups.get(name);
    if (name === undefined || group === undefined) return;
    this.#places.delete(runId);
    group.atWork -= 1;
    this.#queue(runId, group, name);
  }

  #queue(runId: string, group: Group, name: string): void {
    const turn = this.#turnOf.get(runId) ?? 0;
    const after = group.waiting.findLastIndex((other) => (this.#turnOf.get(other) ?? 0) < turn);
    group.waiting.splice(after + 1, 0, runId);
    this.#asked.set(runId, name);
    if (!this.#turn.includes(name)) this.#turn.push(name);
  }

  /** Gives a place back, or the claim to one. */
  give(runId: string): void {
    this.#turnOf.delete(runId);
    const name = this.#places.get(runId);
    if (name !== undefined) {
      this.#places.delete(runId);
      const group = this.#groups.get(name);
      if (group) group.atWork -= 1;
      this.#forget(name);
    }
    const asked = this.#asked.get(runId);
    if (asked === undefined) return;
    this.#asked.delete(runId);
    const waiting = this.#groups.get(asked)?.waiting ?? [];
    const index = waiting.indexOf(runId);
    if (index >= 0) waiting.splice(index, 1);
    this.#forget(asked);
  }

  /** Takes a place without asking: for runs found at work after a restart. */
  hold(runId: string, name: string, groupCap: number): void {
    if (this.#places.has(runId)) return;
    this.#group(name, groupCap).atWork += 1;
    this.#places.set(runId, name);
  }

  /** Grants free places and returns who got them, in order. Those that a pause holds keep their turn and are passed over (R9). */
  grant(isHeld: (runId: string) => boolean = () => false): string[] {
    const granted: string[] = [];
    let skipped = 0;
    while (this.#turn.length > 0 && skipped < this.#turn.length && this.#places.size < this.#cap()) {
      const name = this.#turn.shift();
      const group = name === undefined ? undefined : this.#groups.get(name);
      if (name === undefined || group === undefined) continue;
      const next = group.atWork < group.cap ? takeFirst(group.waiting, isHeld) : undefined;
      if (next !== undefined) {
        group.atWork += 1;
        this.#places.set(next, name);
        this.#asked.delete(next);
        granted.push(next);
        skipped = 0;
      } else skipped += 1;
      if (group.waiting.length > 0) this.#turn.push(name);
    }
    return granted;
  }

  #group(name: string, cap: number): Group {
    const group = this.#groups.get(name) ?? { cap, waiting: [], atWork: 0 };
    group.cap = cap;
    this.#groups.set(name, group);
    return group;
  }

  #forget(name: string): void {
    const group = this.#groups.get(name);
    if (group === undefined || group.waiting.length > 0) return;
    this.#turn = this.#turn.filter((other) => other !== name);
    if (group.atWork === 0) this.#groups.delete(name);
  }
}

/** Takes the first that is not held out of the list. */
function takeFirst(waiting: string[], isHeld: (runId: string) => boolean): string | undefined {
  const index = waiting.findIndex((runId) => !isHeld(runId));
  return index < 0 ? undefined : waiting.splice(index, 1)[0];
}
