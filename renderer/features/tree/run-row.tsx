import { memo, type ReactNode } from 'react';
import type { AskRow, RunRow } from '../../../core/protocol/rows.ts';
import { retryRun } from '../../app/again.ts';
import { mayRetry } from '../../app/controls.ts';
import { useAskOf } from '../../app/live-rows.ts';
import { useReplay, useShown, useShownRun } from '../../app/replay.ts';
import { RunActions } from '../../app/run-actions.tsx';
import { openOverlay, ui } from '../../app/ui-store.ts';
import { MARK_FACTS, markOf, type Mark } from '../../shared/status.ts';
import { strings } from '../../shared/strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { KeyCap } from '../../ui/button.tsx';
import { Elapsed } from '../../ui/elapsed.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Cost } from '../../app/cost.tsx';
import { childrenText, hintOf, labelOf, moneyText, placeText, rowNote, secondLine, TONES } from '../../app/row-text.ts';
import { holdRow, releaseRow } from './tree-focus.ts';
import { ROW } from './tree-model.ts';
import { useItemProps } from './use-tree-model.ts';

/** How the whole row looks: attention and running rows keep medium weight, the done recede. */
export function rowLook(mark: Mark): string {
  if (MARK_FACTS[mark].needsYou) return 'is-need';
  if (MARK_FACTS[mark].done) return `is-done ${mark === 'stopped' ? 'is-stopped' : ''}`;
  return mark === 'queued' ? 'is-queued' : '';
}

/** What a row of a run that waits for a person offers. */
function Answer({ ask }: { readonly ask: AskRow | undefined }) {
  // A moment of before asks nothing.
  const past = useReplay((state) => state.past !== null);
  if (past) return null;
  return (
    <>
      <span className="grow" />
      <button
        type="button"
        className="flex-none font-semi text-need hover:underline"
        onClick={() => {
          openOverlay({ type: 'inbox', ask_id: ask?.ask_id ?? null });
        }}
      >
        {strings.tree.answer}
      </button>
      <KeyCap chord="mod+i" />
    </>
  );
}

function WhatToDo({ run }: { readonly run: RunRow }) {
  const past = useReplay((state) => state.past !== null);
  return (
    <div className="run-advice">
      {run.advice !== null && (
        <span className="el" title={visibleText(run.advice)}>
          {visibleText(run.advice)}
        </span>
      )}
      {!past && mayRetry(run) && (
        <button
          type="button"
          className="link"
          aria-label={strings.again.retryRun(labelOf(run))}
          onClick={() => void retryRun(run)}
        >
          {strings.again.retry}
        </button>
      )}
      <button
        type="button"
        className="link"
        onClick={() => {
          ui.reveal(run.conversation_id, run.run_id);
        }}
      >
        {strings.tree.openTranscript}
      </button>
    </div>
  );
}

export interface RunRowProps {
  readonly run: RunRow;
  readonly ask: AskRow | undefined;
  /** Number of tasks of the set. */
  readonly count: number;
  /** Height the layout gave it. */
  readonly height: number;
  /** A nested card has no column for money. */
  readonly nested: boolean;
  readonly item?: Partial<ReturnType<typeof useItemProps>>;
  /** How far the sets are that it waits for; empty when it waits for none. */
  readonly below?: string;
  readonly children?: ReactNode;
}

/** The second line, with what a machine will run set in mono. */
function Activity({ run, ask, below }: Pick<RunRowProps, 'run' | 'ask' | 'below'>) {
  const { tone, text, code } = secondLine(run, ask);
  return (
    <span className="el" title={code === null ? text : `${text} ${code}`}>
      <span className={TONES[tone]}>{text}</span>
      {code !== null && (
        <>
          {' '}
          <code>{code}</code>
        </>
      )}
      {[below ?? '', rowNote(run)]
        .filter((part) => part !== '')
        .map((part) => (
          <span key={part} className="text-ink-3">
            {' '}
            · {part}
          </span>
        ))}
    </span>
  );
}

/** A run as a row of 40 px; a failed one has 56, with its failure and what to do. */
export function RunRowView({ run, ask, count, height, nested, item, below, children }: RunRowProps) {
  const mark = markOf(run);
  const unknown = run.total_cost_usd === null && run.turns > 0;
  return (
    <div
      className={`run-row ${nested ? 'is-nested' : ''} ${rowLook(mark)}`}
      style={{ height }}
      data-drop-run={run.run_id}
      {...item}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('button') === null) ui.selectRun(run.run_id);
      }}
      onPointerEnter={() => {
        holdRow(run.run_id, height);
      }}
      onPointerLeave={() => {
        releaseRow(run.run_id, height);
      }}
    >
      <Glyph mark={mark} named />
      <span className="run-place">{placeText(run, count)}</span>
      <span className="run-label el" dir="auto" title={hintOf(run)}>
        {labelOf(run)}
      </span>
      <span className="num">
        <Elapsed run={run} />
      </span>
      {!nested && (
        <span className="num" title={unknown ? strings.tree.unknownCost : undefined}>
          <Cost of={run.conversation_id} text={moneyText(run)} />
        </span>
      )}
      <div className="run-activity">
        <AgentMark agent={run.agent} />
        <Activity run={run} ask={ask} below={below} />
        {MARK_FACTS[mark].needsYou && <Answer ask={ask} />}
        <RunActions run={run} />
      </div>
      {MARK_FACTS[mark].broken && height > ROW && <WhatToDo run={run} />}
      {children}
    </div>
  );
}

/** The row of one run, drawn only when that run changes. */
export const ConnectedRunRow = memo(function ConnectedRunRow({
  id,
  ...rest
}: Omit<RunRowProps, 'run' | 'ask' | 'item' | 'below' | 'children'> & { readonly id: string }) {
  const run = useShownRun(id);
  const ask = useAskOf(id);
  const item = useItemProps(id);
  const below = useShown((state) => (run === undefined ? '' : childrenText(state, run)));
  if (run === undefined) return null;
  return <RunRowView run={run} ask={ask} item={item} below={below} {...rest} />;
});
