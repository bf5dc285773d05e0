import { cancelCompare, useCompare } from '../../../app/compare.ts';
import { useRun } from '../../../app/live-rows.ts';
import { labelOf } from '../../../app/row-text.ts';
import { viewStrings } from '../../../shared/view-strings.ts';
import { IconButton } from '../../../ui/button.tsx';

const words = viewStrings.compare;

/** Which run waits for another to be compared with. */
export function PendingCompare() {
  const run = useRun(useCompare((state) => state.first));
  if (run === undefined) return null;
  return (
    <span className="view-pending" role="status" title={words.waitingHint}>
      <span className="el">{words.waiting(labelOf(run))}</span>
      <IconButton icon="close" name={words.cancel} onClick={cancelCompare} />
    </span>
  );
}
