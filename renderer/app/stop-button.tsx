import { strings } from '../shared/strings.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { pressStop, useStop } from './stop.ts';

/** The stop of a run, set or conversation; with more than one run affected it asks for a second press. */
export function StopButton({
  id,
  name,
  tabIndex,
}: {
  readonly id: string;
  readonly name: string;
  readonly tabIndex?: number;
}) {
  const { armed, stopping, affected } = useStop(id);
  const press = (): void => {
    pressStop(id);
  };
  if (armed) {
    return (
      <Button className="h-5 text-bad-text" onClick={press} autoFocus tabIndex={tabIndex}>
        {strings.tree.stopSure(affected)}
      </Button>
    );
  }
  return <IconButton icon="stop" name={name} disabled={stopping} onClick={press} tabIndex={tabIndex} />;
}
