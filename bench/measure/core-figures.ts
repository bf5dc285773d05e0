/** What a measured core is told, as its argument. */
export interface MeasuredOrders {
  readonly home: string;
  /** Without one: the built worker. */
  readonly workerEntry: string | null;
  readonly environment: Readonly<Record<string, string>>;
}

/** Of many values: in the middle, near the top, at the top. */
export interface Tail {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** What a core has measured in itself since it was asked last. Times in ms, unless said otherwise. */
export interface CoreFigures {
  readonly seconds: number;
  readonly cpu_seconds: number;
  /** How late the loop came. */
  readonly lag: Tail;
  readonly transactions: number;
  /** From `BEGIN` to the end of `COMMIT`. */
  readonly transaction: Tail;
  /** The same as processor time of the thread: what other programs on the machine took is not in it. */
  readonly transaction_cpu: Tail;
  readonly statements: number;
  /** V8's heap after a collection, and all memory of the process, bytes. */
  readonly heap: number;
  readonly rss: number;
}

export type ToCore = { readonly type: 'figures' };
export type FromCore =
  { readonly type: 'ready'; readonly url: string } | { readonly type: 'figures'; readonly figures: CoreFigures };

/** The tail of what was measured; zeros of nothing. */
export function tailOf(values: readonly number[]): Tail {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? 0 };
}
