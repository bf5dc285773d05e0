import { isLive } from '../../../core/protocol/lifecycle.ts';
import type { RunRow } from '../../../core/protocol/rows.ts';
import { retryRun } from '../../app/again.ts';
import { copyTranscript, exportItems } from '../../app/export.ts';
import { mayPause, mayRetry } from '../../app/controls.ts';
import { mayReviewRun, reviewRun } from '../../app/history.ts';
import { PauseButton } from '../../app/pause-button.tsx';
import { setPaused } from '../../app/pause.ts';
import { StopButton } from '../../app/stop-button.tsx';
import { openOverlay } from '../../app/ui-store.ts';
import { inspectStrings } from '../../shared/inspect-strings.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { markOf } from '../../shared/status.ts';
import { strings } from '../../shared/strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { workStrings } from '../../shared/work-strings.ts';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { headerWords, modelWords, placeWords, type HeaderTone } from './header-words.ts';
import { RetryAtEnd, RunLinks } from './run-links.tsx';
import { Numbers } from './run-money.tsx';

const TONES: Readonly<Record<HeaderTone, string>> = {
  live: 'text-accent',
  wait: 'text-wait',
  need: 'text-need',
  warn: 'text-warn',
  bad: 'text-bad-text',
  quiet: 'text-ink-2',
};

const titleOf = (run: RunRow): string => run.label ?? run.goal.trim().split('\n', 1)[0] ?? '';

function menuOf(run: RunRow): readonly (readonly MenuItem[])[] {
  const words = runStrings.inspector;
  const copies: readonly MenuItem[] = [
    { label: words.copyGoal, icon: 'copy', onSelect: () => void navigator.clipboard.writeText(run.goal) },
    { label: words.copyId, icon: 'copy', onSelect: () => void navigator.clipboard.writeText(run.run_id) },
  ];
  const controls: readonly MenuItem[] = [
    ...(isLive(run.state) && mayPause(run)
      ? [
          {
            label: run.paused ? words.resume : words.pause,
            icon: run.paused ? ('resume' as const) : ('pause' as const),
            onSelect: () => void setPaused(run.run_id, !run.paused),
          },
        ]
      : []),
    ...(mayRetry(run)
      ? [
          { label: words.retry, icon: 'retry' as const, onSelect: () => void retryRun(run) },
          {
            label: words.retryEdit,
            icon: 'edit' as const,
            onSelect: () => {
              openOverlay({ type: 'retry', run_id: run.run_id });
            },
          },
        ]
      : []),
    ...(mayReviewRun(run)
      ? [
          {
            label: workStrings.history.review,
            icon: 'search' as const,
            onSelect: () => {
              reviewRun(run);
            },
          },
        ]
      : []),
  ];
  const exports: readonly MenuItem[] = [
    {
      label: inspectStrings.export.copyTranscript,
      icon: 'copy',
      onSelect: () => {
        copyTranscript(run.run_id);
      },
    },
    ...exportItems(run.run_id),
  ];
  return controls.length === 0 ? [copies, exports] : [controls, copies, exports];
}

/** Pause and stop of a run at work, retry of one that has ended. */
function Actions({ run, title }: { readonly run: RunRow; readonly title: string }) {
  const live = isLive(run.state);
  return (
    <span className="flex flex-none">
      {live && mayPause(run) && <PauseButton id={run.run_id} paused={run.paused} name={title} />}
      {live && <StopButton id={run.run_id} name={strings.tree.stopRun(title)} />}
      {mayRetry(run) && (
        <IconButton
          icon="retry"
          name={runStrings.retry.name}
          onClick={() => {
            openOverlay({ type: 'retry', run_id: run.run_id });
          }}
        />
      )}
      <Menu trigger={<IconButton icon="more" name={runStrings.inspector.more} />} groups={menuOf(run)} />
    </span>
  );
}

/** The model stands after the agent's mark; the others are words. */
function Place({ run }: { readonly run: RunRow }) {
  return (
    <div className="inspector-place">
      {placeWords(run).map((word) => (
        <span key={word} className={word === run.agent ? 'flex min-w-0 items-center gap-1' : 'el'}>
          {word === run.agent && <AgentMark agent={run.agent} />}
          <span className="el" title={run.model !== null && word === modelWords(run.model) ? run.model : undefined}>
            {word}
          </span>
        </span>
      ))}
    </div>
  );
}

/** What the selected run is, how it stands and why, what it has used. */
export function RunHeader({ run }: { readonly run: RunRow }) {
  const { tone, status, detail } = headerWords(run);
  const title = visibleText(titleOf(run));
  return (
    <header className="inspector-header">
      <div className="flex items-center gap-2">
        <Glyph mark={markOf(run)} named />
        <h2 className="el grow text-13 font-semi" dir="auto" title={visibleText(run.goal.slice(0, 2000))}>
          {title}
        </h2>
        <Actions run={run} title={title} />
      </div>
      <div className="inspector-line">
        <span className={`flex-none font-med ${TONES[tone]}`}>{status}</span>
        <span className="el text-ink-2" title={visibleText(detail)}>
          {visibleText(detail)}
        </span>
        <RetryAtEnd run={run} />
      </div>
      <RunLinks run={run} />
      <Place run={run} />
      <Numbers run={run} />
    </header>
  );
}
