/** A row that holds what cannot be read: written by a hand, or damaged on disk. The rows beside it are not concerned (D6). */
export class MalformedRow extends Error {
  constructor(what: string, cause: unknown) {
    super(
      `A stored ${what} is damaged and cannot be read. Nothing in it was changed; restore a backup to have it back.`,
      {
        cause,
      },
    );
    this.name = 'MalformedRow';
  }
}

/** What a JSON column holds. Throws {@link MalformedRow}; `what` names the row for people. */
export function storedJson<T>(text: string, what: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new MalformedRow(what, error);
  }
}

/** What the JSON columns of a list of rows hold. Those that are damaged are left out: one must not hide all others. */
export function readableJson<T>(texts: readonly string[], what: string): T[] {
  return texts.flatMap((text) => {
    try {
      return [storedJson<T>(text, what)];
    } catch (error) {
      if (error instanceof MalformedRow) return [];
      throw error;
    }
  });
}
