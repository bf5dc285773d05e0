import { useEffect } from 'react';
import { cancelCompare, useCompare } from '../../../app/compare.ts';
import { useRun } from '../../../app/live-rows.ts';
import { labelOf } from '../../../app/row-text.ts';
import { requestFocus, useOverlay } from '../../../app/ui-store.ts';
import { viewStrings } from '../../../shared/view-strings.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';

const words = viewStrings.compare;

/** Lets go of the first run; the keyboard goes back to the rows. */
function letGo(): void {
  cancelCompare();
  requestFocus('tree');
}

/** Escape lets go too, unless what has the focus knows something better to do with it. */
function useEscape(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || useOverlay.getState().overlay !== null) return;
      event.preventDefault();
      letGo();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
    };
  }, []);
}

function Pending({ label }: { readonly label: string }) {
  useEscape();
  return (
    <div className="view-pending">
      <Icon name="compare" />
      <div role="status" className="min-w-0">
        <p className="el font-med" dir="auto" title={label}>
          {words.waiting(label)}
        </p>
        <p className="text-11 text-ink-3">{words.waitingHint}</p>
      </div>
      <IconButton icon="close" name={words.cancel} onClick={letGo} />
    </div>
  );
}

/** Which run waits for another to be compared with: over the foot of the view, where it moves no row. */
export function PendingCompare() {
  const run = useRun(useCompare((state) => state.first));
  return run === undefined ? null : <Pending label={labelOf(run)} />;
}
