import { useCommand } from '../../app/commands.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { Button } from '../../ui/button.tsx';
import { startDemo, useDemo } from './start-demo.ts';
import './demo.css';

const words = startStrings.demo;

/** Starts the demo, and says that no model answers in it. `quiet`: beside the action that the place exists for. */
export function DemoButton({ quiet = false }: { readonly quiet?: boolean }) {
  const starting = useDemo((state) => state.starting);
  return (
    <span className="demo-offer">
      <Button
        kind={quiet ? 'text' : 'plain'}
        big={quiet}
        className={quiet ? 'text-ink-2' : ''}
        disabled={starting}
        onClick={() => void startDemo()}
      >
        {starting ? words.starting : words.button}
      </Button>
      <span className="text-11 text-ink-3">{words.note}</span>
    </span>
  );
}

/** Offers the demo as a command. */
export function DemoCommand() {
  useCommand({
    id: 'demo',
    title: `${words.command} (${words.note.toLowerCase()})`,
    chord: null,
    run: () => void startDemo(),
  });
  return null;
}
