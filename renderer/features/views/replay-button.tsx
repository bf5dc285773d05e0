import { toggleReplay, useReplay } from '../../app/replay.ts';
import { viewStrings } from '../../shared/view-strings.ts';
import { Button } from '../../ui/button.tsx';

/** Shows the replay at the foot of a view, or puts it away. */
export function ReplayButton() {
  const open = useReplay((state) => state.open || state.at !== null);
  return (
    <Button kind="text" icon="resume" aria-pressed={open} className="flex-none text-ink-2" onClick={toggleReplay}>
      {viewStrings.replay.name}
    </Button>
  );
}
