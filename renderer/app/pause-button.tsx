import { strings } from '../shared/strings.ts';
import { IconButton } from '../ui/button.tsx';
import { setPaused } from './pause.ts';

/** Pauses a run, set or conversation, or lets it go on: one element, so that the focus stays on it. */
export function PauseButton({
  id,
  paused,
  name,
}: {
  readonly id: string;
  readonly paused: boolean;
  /** What it is, as after *Pause*. */
  readonly name: string;
}) {
  return (
    <IconButton
      icon={paused ? 'resume' : 'pause'}
      name={paused ? strings.pause.resumeOf(name) : strings.pause.pauseOf(name)}
      onClick={() => void setPaused(id, !paused)}
    />
  );
}
