import { useMemo } from 'react';
import type { DiffLine } from '../../shared/diff-lines.ts';
import { useHighlight } from '../../ui/highlight.ts';

/** A piece of a line in one colour. */
export interface Piece {
  readonly content: string;
  readonly color?: string | undefined;
}

/** The colours of a line, or null while or where there are none. */
export type ColoursOf = (line: DiffLine) => readonly Piece[] | null;

/** The word for a file's grammar: its ending, or its name where that says it. */
export function languageOf(path: string): string {
  const name = path.replace(/^.*\//, '').toLowerCase();
  return name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : name;
}

interface Side {
  readonly code: string;
  /** Place in `code` by line of the diff. */
  readonly places: ReadonlyMap<DiffLine, number>;
}

/** One side of a diff as code: its lines in their order, with what is between hunks left out. */
export function sideOf(lines: readonly DiffLine[], types: readonly DiffLine['type'][]): Side {
  const of = lines.filter(({ type }) => types.includes(type));
  return { code: of.map(({ text }) => text).join('\n'), places: new Map(of.map((line, place) => [line, place])) };
}

/** Colours for both sides of a diff; a side is coloured as a whole, since a line alone does not say what it is part of. */
export function useColours(lines: readonly DiffLine[], path: string): ColoursOf {
  const language = languageOf(path);
  const sides = useMemo(
    () => ({ before: sideOf(lines, ['same', 'remove']), after: sideOf(lines, ['same', 'add']) }),
    [lines],
  );
  const before = useHighlight(sides.before.code, language, true);
  const after = useHighlight(sides.after.code, language, true);
  return (line) => {
    const [side, coloured] = line.type === 'remove' ? [sides.before, before] : [sides.after, after];
    const place = side.places.get(line);
    return place === undefined ? null : (coloured?.[place] ?? null);
  };
}
