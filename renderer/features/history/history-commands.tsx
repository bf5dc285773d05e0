import type { SetRow } from '../../../core/protocol/rows.ts';
import { isWorthRetrying } from '../../app/controls.ts';
import { useCommand } from '../../app/commands.ts';
import { currentRuns } from '../../app/current-runs.ts';
import { mayReviewRun, mayReviewSet, reviewRun, reviewSet, runAgain, saveSetAsTemplate } from '../../app/history.ts';
import { useConversation, useRun, useSet } from '../../app/live-rows.ts';
import { useLive } from '../../app/live.ts';
import { openOverlay, useSelected } from '../../app/ui-store.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { workStrings } from '../../shared/work-strings.ts';

const words = workStrings.history;

function FailedCommand({ set, project }: { readonly set: SetRow; readonly project: string | null }) {
  const title = words.ofSet(words.runFailed, set.set);
  useCommand({ id: 'run-failed-again', title, chord: null, run: () => void runAgain(set, project, 'failed') });
  return null;
}

function ReviewSetCommand({ set }: { readonly set: SetRow }) {
  useCommand({ id: 'review-set', title: words.ofSet(words.review, set.set), chord: null, run: () => reviewSet(set) });
  return null;
}

function SetCommands({ set }: { readonly set: SetRow }) {
  const project = useConversation(set.conversation_id)?.project_id ?? null;
  const failed = useLive((state) => currentRuns(state, set.delegation_id).some(isWorthRetrying));
  const again = words.ofSet(words.runAgain, set.set);
  const save = words.ofSet(words.saveTemplate, set.set);
  useCommand({ id: 'run-again', title: again, chord: null, run: () => void runAgain(set, project, 'all') });
  useCommand({ id: 'save-template', title: save, chord: null, run: () => void saveSetAsTemplate(set) });
  return (
    <>
      {failed && <FailedCommand set={set} project={project} />}
      {mayReviewSet(set) && <ReviewSetCommand set={set} />}
    </>
  );
}

function ReviewRunCommand({ runId }: { readonly runId: string }) {
  const run = useRun(runId);
  const label = visibleText(run?.label ?? run?.goal.trim().split('\n', 1)[0]?.slice(0, 60) ?? '');
  useCommand({
    id: 'review-run',
    title: words.ofRun(words.review, label),
    chord: null,
    run: () => {
      if (run !== undefined) reviewRun(run);
    },
  });
  return null;
}

/** What can be done again, in the palette: with the selected set or run, and with the templates. */
export function HistoryCommands() {
  const node = useSelected();
  const run = useRun(node?.type === 'run' ? node.id : null);
  const set = useSet(node?.type === 'set' ? node.id : (run?.delegation_id ?? null));
  useCommand({ id: 'templates', title: words.templates, chord: null, run: () => openOverlay({ type: 'templates' }) });
  return (
    <>
      {set !== undefined && <SetCommands set={set} />}
      {run !== undefined && mayReviewRun(run) && <ReviewRunCommand runId={run.run_id} />}
    </>
  );
}
