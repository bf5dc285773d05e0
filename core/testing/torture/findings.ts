/** What is counted; each is to be 0. */
export const FIGURES = [
  'chapters that broke',
  'entries lost',
  'entries doubled or changed',
  'events told and not stored',
  'orphan processes',
  'runs shown live without a process',
  'runs that did not settle',
  'runs that ended otherwise than they should',
  'work done twice or not at all',
  'dispatches lost or doubled',
  'deliveries lost',
  'deliveries doubled',
  'steering lost or doubled',
  'worktrees without a row',
  'rows without their worktree',
  'work applied and not called so, or the other way',
  'rows left open (asks, calls, outbox, holds, attempts)',
] as const;

/** One of {@link FIGURES}. */
export type Figure = (typeof FIGURES)[number];

/** One thing that is not as it should be. */
export interface Finding {
  readonly figure: Figure;
  readonly words: string;
}

/** Gathers findings of one chapter. */
export class Findings {
  readonly all: Finding[] = [];

  add(figure: Figure, words: string): void {
    this.all.push({ figure, words });
  }
}
