import type { ApiError } from '../../../core/protocol/errors.ts';
import type { RunRow } from '../../../core/protocol/rows.ts';
import type { ApplyMode } from '../../../core/protocol/worktree.ts';
import { core, describeFailure, expectedFailure } from '../../app/client.ts';
import { openOverlay } from '../../app/ui-store.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';

const words = runStrings.changes;

/** What came of something that was done with a worktree. */
export type Done =
  | { readonly type: 'done'; readonly text: string }
  | { readonly type: 'refused'; readonly text: string; readonly paths: readonly string[] };

const refusedBy = (error: unknown): Done => ({
  type: 'refused',
  text: describeFailure(error).message,
  paths: expectedFailure(error)?.paths ?? [],
});

const short = (commit: string): string => commit.slice(0, 10);

/** Brings the work into what the project has checked out; a conflict changes nothing and names the files (W4). */
export async function applyChanges(run: RunRow, mode: ApplyMode): Promise<Done> {
  try {
    const { from, to } = await core.changes.apply({ run_id: run.run_id, mode });
    return { type: 'done', text: from === to ? words.appliedNothing : words.applied(short(from), short(to)) };
  } catch (error) {
    return refusedBy(error);
  }
}

/** Removes the folder and keeps the branch. */
export async function keepChanges(run: RunRow): Promise<Done> {
  try {
    const { branch, commit } = await core.changes.keep({ run_id: run.run_id });
    return { type: 'done', text: words.keptAs(branch, short(commit)) };
  } catch (error) {
    return refusedBy(error);
  }
}

async function discard(run: RunRow, accept_loss: boolean): Promise<Done | ApiError> {
  try {
    const { ref } = await core.changes.discard({ run_id: run.run_id, accept_loss });
    return { type: 'done', text: words.discardedTo(ref) };
  } catch (error) {
    const expected = expectedFailure(error);
    return expected?.code === 'would_lose' ? expected : refusedBy(error);
  }
}

/** Paths that a question names before it only counts them. */
const NAMED = 8;

function lossText({ message, paths = [] }: ApiError): string {
  const named = paths.slice(0, NAMED).map(visibleText).join(', ');
  const more = paths.length > NAMED ? words.andMore(paths.length - NAMED) : '';
  return [message, named === '' ? '' : `${named}${more}`].filter((part) => part !== '').join(' ');
}

/** Asks, then discards; what no ref could keep is named and asked for once more (W4). */
export function discardChanges(run: RunRow, files: number, onDone: (done: Done) => void): void {
  const settle = (done: Done | ApiError): void => {
    if ('type' in done) {
      onDone(done);
      return;
    }
    openOverlay({
      type: 'confirm',
      title: words.lossTitle,
      text: lossText(done),
      action: words.lossAction,
      onConfirm: () => void discard(run, true).then(settle),
    });
  };
  const applied = run.worktree?.applied ?? null;
  openOverlay({
    type: 'confirm',
    title: words.discardTitle,
    text: [
      ...(applied === null ? [] : [words.appliedAlready(words.appliedBy[applied])]),
      words.discardText(files),
    ].join(' '),
    action: words.discard,
    onConfirm: () => void discard(run, false).then(settle),
  });
}
