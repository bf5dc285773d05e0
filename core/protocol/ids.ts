/** Hexadecimal characters after the prefix of each kind of id (delegation.md, section 1). */
export const ID_HEX = {
  /** A local folder that the user attached. */
  proj: 12,
  /** One delegation tree. */
  conv: 12,
  /** One delegation, shown as `set N`. */
  deleg: 8,
  run: 12,
  /** One worker process spent on a run. */
  att: 12,
  /** An open permission or question. */
  ask: 12,
  /** One steering message. */
  steer: 12,
  /** A set's result on its way to its owner. */
  dlv: 12,
} as const;

/** The kinds of ids, by their prefix. */
export type IdPrefix = keyof typeof ID_HEX;

/** An id of the kind, `run_` and 12 hexadecimal characters; `hex` gives as many as it is asked for. */
export function makeId(prefix: IdPrefix, hex: (length: number) => string): string {
  return `${prefix}_${hex(ID_HEX[prefix])}`;
}
