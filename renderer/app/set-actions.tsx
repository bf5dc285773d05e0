import type { SetRow } from '../../core/protocol/rows.ts';
import { strings } from '../shared/strings.ts';
import { IconButton } from '../ui/button.tsx';
import { retrySet } from './again.ts';
import { PauseButton } from './pause-button.tsx';
import { useReplay } from './replay.ts';
import { SetMenu } from './set-menu.tsx';
import { StopButton } from './stop-button.tsx';
import { openOverlay, ui } from './ui-store.ts';

/** The way to more tasks: a batch that is added to this set (S8). */
function addTasks(set: SetRow): void {
  openOverlay({
    type: 'batch',
    project_id: null,
    conversation_id: set.conversation_id,
    delegation_id: set.delegation_id,
    text: '',
    name: null,
  });
}

/** What can be done to a set. */
function Controls({ set, retryable }: { readonly set: SetRow; readonly retryable: number }) {
  const { delegation_id: id } = set;
  const live = set.ended_at === null;
  return (
    <>
      {live && <PauseButton id={id} paused={set.paused} name={strings.pause.set(set.set)} />}
      {live && <StopButton id={id} name={strings.tree.stopSet(set.set)} />}
      {retryable > 0 && (
        <IconButton icon="retry" name={strings.again.retrySet(set.set)} onClick={() => void retrySet(id)} />
      )}
      {live && (
        <IconButton
          icon="plus"
          name={strings.again.addTo(set.set)}
          onClick={() => {
            addTasks(set);
          }}
        />
      )}
      <SetMenu set={set} failed={retryable > 0} />
    </>
  );
}

/** What the header of a set offers, in every view. `retryable`: runs that *Retry failed* would take. */
export function SetActions({
  set,
  folded,
  retryable,
}: {
  readonly set: SetRow;
  readonly folded: boolean;
  readonly retryable: number;
}) {
  const { delegation_id: id } = set;
  // A moment of before can only be looked at.
  const past = useReplay((state) => state.past !== null);
  return (
    <span className="set-actions">
      {!past && <Controls set={set} retryable={retryable} />}
      <IconButton
        icon={folded ? 'right' : 'down'}
        name={folded ? strings.tree.expand : strings.tree.collapse}
        onClick={() => {
          ui.foldSet(id);
        }}
      />
    </span>
  );
}
