import { strings } from '../shared/strings.ts';
import { Icon } from '../ui/icon.tsx';
import { pressStop, useStop } from './stop.ts';

/**
 * The stop of a run, set or conversation; with more than one run affected it asks for a second press. It stays one
 * element, so that the focus stays on it between the presses.
 */
export function StopButton({ id, name }: { readonly id: string; readonly name: string }) {
  const { armed, stopping, affected } = useStop(id);
  return (
    <button
      type="button"
      className={armed ? 'btn h-5 text-bad-text' : 'icon-button'}
      aria-label={armed ? undefined : name}
      title={armed ? undefined : name}
      disabled={stopping}
      onClick={() => {
        pressStop(id);
      }}
    >
      {armed ? strings.tree.stopSure(affected) : <Icon name="stop" />}
    </button>
  );
}
