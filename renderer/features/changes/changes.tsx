import { useMemo, useState } from 'react';
import type { RunChanges } from '../../../core/protocol/changes.ts';
import type { RunRow } from '../../../core/protocol/rows.ts';
import { describeFailure } from '../../app/client.ts';
import { useRun } from '../../app/live-rows.ts';
import { openTerminalAt } from '../../app/panel.ts';
import { ui, useUi } from '../../app/ui-store.ts';
import { inspectStrings } from '../../shared/inspect-strings.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { sumWords, worktreeWords } from './change-words.ts';
import { FileRow } from './file-row.tsx';
import { splitPatch } from './split-patch.ts';
import { useChanges } from './use-changes.ts';
import { WorktreeBar } from './worktree-bar.tsx';
import './changes.css';

const words = runStrings.changes;
const more = inspectStrings.changes;

/** Files whose diff is open from the start. */
const OPEN_FILES = 3;
/** Files that are drawn before the rest is asked for. */
const FEW_FILES = 100;

function Files({
  run,
  changes,
  onUndone,
}: {
  readonly run: RunRow;
  readonly changes: RunChanges;
  readonly onUndone: () => void;
}) {
  const patches = useMemo(
    () => new Map(splitPatch(changes.patch).map(({ path, text }) => [path, text])),
    [changes.patch],
  );
  const [all, setAll] = useState(false);
  const shown = all ? changes.files : changes.files.slice(0, FEW_FILES);
  return (
    <>
      <ul aria-label={words.files}>
        {shown.map((change, place) => (
          <FileRow
            key={change.path}
            run={run}
            change={change}
            source={changes.source}
            patch={patches.get(change.path)}
            first={place < OPEN_FILES}
            onUndone={onUndone}
          />
        ))}
      </ul>
      {shown.length < changes.files.length && (
        <button
          type="button"
          className="show-more"
          onClick={() => {
            setAll(true);
          }}
        >
          {words.moreFiles(changes.files.length - shown.length)}
        </button>
      )}
    </>
  );
}

/** Whether the folder that the run worked in is there. */
const isThere = ({ worktree }: RunRow): boolean =>
  worktree === null || worktree.state === 'at_work' || worktree.state === 'kept';

/** Whether the diffs are shown inline or side by side. */
function View() {
  const view = useUi((state) => state.diffView);
  return (
    <div role="radiogroup" aria-label={more.view} className="segments">
      {(['inline', 'split'] as const).map((one) => (
        <button
          key={one}
          type="button"
          role="radio"
          aria-checked={view === one}
          onClick={() => {
            ui.setDiffView(one);
          }}
        >
          {more[one]}
        </button>
      ))}
    </div>
  );
}

/** What is known beside the files: where they came from, and what is not among them. */
function Notes({ changes, run }: { readonly changes: RunChanges; readonly run: RunRow }) {
  const notes = [
    changes.source === 'calls' && changes.files.length > 0 ? words.callsOnly : '',
    changes.cut ? words.cut : '',
    changes.nested.length > 0 ? words.nested(changes.nested.map(visibleText).join(', ')) : '',
  ].filter((note) => note !== '');
  return (
    <div className="change-notes">
      {changes.files.length > 0 && (
        <p className="flex min-w-0 items-center gap-2">
          <span className="font-med">{sumWords(changes.files)}</span>
          <span className="grow" />
          <View />
          {changes.patch !== '' && <CopyButton name={words.copyPatch} label={words.patch} text={() => changes.patch} />}
        </p>
      )}
      {run.worktree !== null && (
        <p className="text-ink-2 select-text wrap-anywhere" title={visibleText(run.worktree.path)}>
          {visibleText(worktreeWords(run.worktree))}
        </p>
      )}
      {isThere(run) && (
        <button
          type="button"
          className="link justify-self-start"
          onClick={() => {
            openTerminalAt({ project_id: run.project_id, run_id: run.worktree === null ? null : run.run_id });
          }}
        >
          {more.terminal}
        </button>
      )}
      {notes.map((note) => (
        <p key={note} className="text-ink-3">
          {note}
        </p>
      ))}
    </div>
  );
}

/** What a run changed, and what is to become of it (W4). */
export function Changes({ runId }: { readonly runId: string }) {
  const run = useRun(runId);
  const { data, error, refetch } = useChanges(run, true);
  if (run === undefined) return null;
  if (error !== null) {
    return (
      <div role="alert" className="p-4">
        <p className="font-med">{words.failed}</p>
        <p className="mb-2 text-ink-2 select-text">{describeFailure(error).message}</p>
        <Button onClick={() => void refetch()}>{runStrings.transcript.again}</Button>
      </div>
    );
  }
  if (data === undefined) return <p className="inspector-gone">{words.loading}</p>;
  const nothing = data.files.length === 0 && data.nested.length === 0;
  return (
    <>
      <div className="change-scroller" role="region" aria-label={words.name} tabIndex={0} data-pane-focus>
        <Notes changes={data} run={run} />
        {!nothing && <Files run={run} changes={data} onUndone={() => void refetch()} />}
        {nothing && run.worktree?.state !== 'discarded' && <p className="inspector-gone">{words.none}</p>}
      </div>
      <WorktreeBar key={runId} run={run} files={data.files.length} />
    </>
  );
}
