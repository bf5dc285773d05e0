import type { RunRow } from '../../../../core/protocol/rows.ts';
import { pickForCompare, useCompare } from '../../../app/compare.ts';
import { labelOf } from '../../../app/row-text.ts';
import { viewStrings } from '../../../shared/view-strings.ts';
import { IconButton } from '../../../ui/button.tsx';

/** Takes a run for comparing: the first of two, or the second. */
export function CompareButton({ run }: { readonly run: RunRow }) {
  const first = useCompare((state) => state.first === run.run_id);
  return (
    <IconButton
      icon="compare"
      name={viewStrings.compare.action(labelOf(run))}
      aria-pressed={first}
      onClick={() => {
        pickForCompare(run.run_id);
      }}
    />
  );
}
