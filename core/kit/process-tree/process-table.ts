import type { ProcessEntry, ProcessListing } from './process-entry.ts';

/** One snapshot of the machine, indexed once for all trees that look at it. */
export interface ProcessTable {
  readonly byPid: ReadonlyMap<number, ProcessEntry>;
  readonly byParent: ReadonlyMap<number, readonly ProcessEntry[]>;
  readonly bySession: ReadonlyMap<number, readonly ProcessEntry[]>;
  readonly byGroup: ReadonlyMap<number, readonly ProcessEntry[]>;
  readonly byMarker: ReadonlyMap<string | null, readonly ProcessEntry[]>;
  /** How many pids were listed and gone before they could be read; what they forked last may be missing. */
  readonly vanished: number;
  /** Counts up from listing to listing of one scanner. */
  readonly order: number;
}

/** Indexes a listing. */
export function processTable({ entries, vanished }: ProcessListing, order: number): ProcessTable {
  return {
    byPid: new Map(entries.map((entry) => [entry.pid, entry])),
    byParent: Map.groupBy(entries, (entry) => entry.ppid),
    bySession: Map.groupBy(entries, (entry) => entry.session),
    byGroup: Map.groupBy(entries, (entry) => entry.pgid),
    byMarker: Map.groupBy(entries, (entry) => entry.marker),
    vanished,
    order,
  };
}
