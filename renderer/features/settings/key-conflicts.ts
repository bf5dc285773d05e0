import type { OfferedCommand } from '../../app/commands.ts';

/** A command as the list of keys shows it. */
export interface KeyLine {
  readonly id: string;
  readonly title: string;
  readonly chord: string | null;
  readonly standard: string | null;
  readonly isBound: boolean;
  /** Titles of other commands with the same key. */
  readonly conflicts: readonly string[];
}

/** Every command once, by title: those that are offered, and those that the user bound and nobody offers just now. */
export function keyLines(
  commands: readonly OfferedCommand[],
  bound: Readonly<Record<string, string | null>>,
): readonly KeyLine[] {
  const lines = new Map(
    commands.map(({ id, title, chord, standard }) => [id, { id, title, chord, standard }] as const),
  );
  for (const [id, chord] of Object.entries(bound)) {
    if (!lines.has(id)) lines.set(id, { id, title: id, chord, standard: null });
  }
  const all = [...lines.values()];
  return all
    .map((line) => ({
      ...line,
      isBound: Object.hasOwn(bound, line.id),
      conflicts: all
        .filter((other) => line.chord !== null && other.id !== line.id && other.chord === line.chord)
        .map(({ title }) => title),
    }))
    .toSorted((a, b) => a.title.localeCompare(b.title));
}
