import { useEffect } from 'react';
import { labelOf } from '../../../app/row-text.ts';
import { useStripNote } from '../../../app/strip-note.ts';
import { useUi } from '../../../app/ui-store.ts';
import { lifeWords } from './bars.ts';
import type { TimelineData } from './use-timeline.ts';

/** The life of the selected run in words; null if no run is selected. */
function noteOf({ rows, lives, to }: TimelineData, id: string | null): string | null {
  const run = id === null ? undefined : rows.runs.get(id);
  const life = id === null ? undefined : lives.get(id);
  if (run === undefined || life === undefined) return null;
  const made = [...rows.sets.values()].filter((set) => set.parent_run_id === id);
  const said = lifeWords(
    life,
    to,
    made.map(({ set, created_at }) => ({ set, at: created_at })),
  );
  return `${run.tag.replaceAll(/^\[|\]$/g, '')} ${labelOf(run)}: ${said}`.trim();
}

/** Tells the strip how the selected run spent its time. */
export function useSelectedNote(data: TimelineData): void {
  const note = noteOf(
    data,
    useUi((state) => state.node?.id ?? null),
  );
  useEffect(() => {
    useStripNote.setState({ note });
  }, [note]);
  useEffect(
    () => () => {
      useStripNote.setState({ note: null });
    },
    [],
  );
}
