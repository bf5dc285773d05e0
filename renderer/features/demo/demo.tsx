import { useCommand } from '../../app/commands.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { Button } from '../../ui/button.tsx';
import { startDemo, useDemo } from './start-demo.ts';
import './demo.css';

const words = startStrings.demo;

/** Starts the demo, and says that no model answers in it. */
export function DemoButton({ onStarted }: { readonly onStarted?: () => void }) {
  const starting = useDemo((state) => state.starting);
  return (
    <span className="demo-offer">
      <Button
        kind="text"
        big
        className="text-ink-2"
        disabled={starting}
        onClick={() =>
          void startDemo().then((started) => {
            if (started) onStarted?.();
          })
        }
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
