import { useState } from 'react';
import type { RunProcesses } from '../../../core/protocol/processes.ts';
import { core, describeFailure } from '../../app/client.ts';
import { inspectStrings } from '../../shared/inspect-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { receiptWords } from './process-tree.ts';

const words = inspectStrings.process;

function stateWords(alive: boolean | null): string {
  if (alive === null) return words.unknown;
  return alive ? words.alive : words.gone;
}

/** What survived the run, and a button that ends it; the receipt stays to be read (C3). */
export function Survivors({
  runId,
  survivors,
  onEnded,
}: {
  readonly runId: string;
  readonly survivors: RunProcesses['survivors'];
  readonly onEnded: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const [told, setTold] = useState<{ readonly failed: boolean; readonly text: string } | null>(null);
  const end = async (): Promise<void> => {
    setBusy(true);
    setTold(null);
    try {
      setTold({ failed: false, text: receiptWords(await core.runs.end_survivors({ run_id: runId })) });
    } catch (error) {
      setTold({ failed: true, text: `${words.endFailed} ${describeFailure(error).message}` });
    }
    setBusy(false);
    onEnded();
  };
  if (survivors.length === 0 && told === null) return null;
  return (
    <section className="process-part" aria-label={words.survivors}>
      {survivors.length > 0 && (
        <>
          <div className="flex items-center gap-2">
            <h3 className="grow font-med text-bad-text">{words.survivors}</h3>
            <Button disabled={busy} onClick={() => void end()}>
              {busy ? words.ending : words.endThem}
            </Button>
          </div>
          <ul>
            {survivors.map(({ pid, command, alive }) => (
              <li key={pid} className="process-survivor">
                <code className="el" title={visibleText(command)}>
                  {visibleText(command)}
                </code>
                <span className="num text-ink-3">{pid}</span>
                <span className={alive === true ? 'text-bad-text' : 'text-ink-3'}>{stateWords(alive)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {told !== null && (
        <p
          role={told.failed ? 'alert' : 'status'}
          className={`select-text ${told.failed ? 'text-bad-text' : 'text-ink-2'}`}
        >
          {told.text}
        </p>
      )}
    </section>
  );
}
