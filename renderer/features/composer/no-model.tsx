import { runCommand } from '../../app/commands.ts';
import { openOverlay } from '../../app/ui-store.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { Button } from '../../ui/button.tsx';

const words = startStrings.composer;

/** That a message would be refused, said before it is sent, with the ways on; the Demo is offered at home already. */
export function NoModel({ atHome }: { readonly atHome: boolean }) {
  return (
    <p role="status" className="composer-lacks">
      <span className="text-warn">{words.lacksModel}</span>
      <Button onClick={() => runCommand('first')}>{words.setUp}</Button>
      <Button onClick={() => openOverlay({ type: 'settings', section: 'providers' })}>{words.settings}</Button>
      {!atHome && (
        <Button kind="text" onClick={() => runCommand('demo')}>
          {startStrings.demo.button}
        </Button>
      )}
    </p>
  );
}
