import { useState } from 'react';
import type { RunRow } from '../../../core/protocol/rows.ts';
import type { ApplyMode } from '../../../core/protocol/worktree.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { actionsOf } from './change-words.ts';
import { applyChanges, discardChanges, keepChanges, type Done } from './worktree-actions.ts';

const words = runStrings.changes;

const MODES = ['merge', 'squash', 'cherry-pick'] as const satisfies readonly ApplyMode[];

/** What came of the last action: stays until the next one, because files in conflict are to be read. */
function Outcome({ done }: { readonly done: Done }) {
  if (done.type === 'done') {
    return (
      <p role="status" className="text-ink-2 select-text">
        {visibleText(done.text)}
      </p>
    );
  }
  return (
    <div role="alert" className="text-bad-text select-text">
      <p>{visibleText(done.text)}</p>
      {done.paths.length > 0 && (
        <ul className="mt-1 max-h-[96px] overflow-y-auto font-mono text-11" aria-label={words.conflicts}>
          {done.paths.map((path) => (
            <li key={path} className="el">
              {visibleText(path)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Apply, keep, discard: what is to become of the worktree of a run that has ended. */
export function WorktreeBar({ run, files }: { readonly run: RunRow; readonly files: number }) {
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<Done | null>(null);
  const may = actionsOf(run);
  const act = async (work: () => Promise<Done>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setDone(null);
    setDone(await work());
    setBusy(false);
  };
  if (!may.discard && done === null) return null;
  const applied = run.worktree?.applied ?? null;
  return (
    <section className="change-bar" aria-label={words.actions}>
      {done !== null && <Outcome done={done} />}
      {may.discard && (
        <div className="flex items-center gap-2">
          <Button
            kind="text"
            className="text-ink-2"
            disabled={busy}
            onClick={() => {
              discardChanges(run, files, setDone);
            }}
          >
            {words.discard}…
          </Button>
          <span className="grow" />
          {may.keep && (
            <Button disabled={busy} onClick={() => void act(() => keepChanges(run))}>
              {words.keep}
            </Button>
          )}
          <Menu
            trigger={
              <Button kind={applied === null ? 'primary' : 'plain'} disabled={busy || files === 0}>
                {busy ? words.working : applied === null ? words.apply : words.applyAgain}
                <Icon name="down" />
              </Button>
            }
            groups={[
              MODES.map((mode) => ({
                label: words.modes[mode],
                onSelect: () => void act(() => applyChanges(run, mode)),
              })),
            ]}
          />
        </div>
      )}
    </section>
  );
}
