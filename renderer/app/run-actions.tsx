import { isLive } from '../../core/protocol/lifecycle.ts';
import type { RunRow } from '../../core/protocol/rows.ts';
import { strings } from '../shared/strings.ts';
import { IconButton } from '../ui/button.tsx';
import { mayPause, maySteer } from './controls.ts';
import { PauseButton } from './pause-button.tsx';
import { useReplay } from './replay.ts';
import { labelOf } from './row-text.ts';
import { StopButton } from './stop-button.tsx';
import { requestFocus, ui } from './ui-store.ts';

/** What a row of a live run offers, in every view. A pause is offered where there is room, or where it must be undone. */
export function RunActions({ run, pause = false }: { readonly run: RunRow; readonly pause?: boolean }) {
  const label = labelOf(run);
  // A moment of before cannot be steered or stopped.
  const past = useReplay((state) => state.past !== null);
  if (past || !isLive(run.state)) return null;
  return (
    <span className="run-actions">
      {maySteer(run) && (
        <IconButton
          icon="steer"
          name={strings.tree.steerRun(label)}
          onClick={() => {
            ui.selectRun(run.run_id);
            requestFocus('steer');
          }}
        />
      )}
      {(run.paused || pause) && mayPause(run) && <PauseButton id={run.run_id} paused={run.paused} name={label} />}
      <StopButton id={run.run_id} name={strings.tree.stopRun(label)} />
    </span>
  );
}
