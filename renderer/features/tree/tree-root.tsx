import { isLive } from '../../../core/protocol/lifecycle.ts';
import { useConversation, useRun, useTranscriptScope } from '../../app/live-rows.ts';
import { useLive } from '../../app/live.ts';
import { PauseButton } from '../../app/pause-button.tsx';
import { useReplay, useShownRun } from '../../app/replay.ts';
import { StopButton } from '../../app/stop-button.tsx';
import { ui } from '../../app/ui-store.ts';
import { formatTime } from '../../shared/format.ts';
import { MARK_FACTS, markOf } from '../../shared/status.ts';
import { strings } from '../../shared/strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { TrunkMark } from '../../ui/icon.tsx';
import { failureText, firstLine, hintOf } from '../../app/row-text.ts';
import { latestAnswer } from './lead-said.ts';
import { useItemProps } from './use-tree-model.ts';

/** Pause and stop of all of the conversation; while it is paused the way back is always there. */
function RootActions({ id, live }: { readonly id: string; readonly live: boolean }) {
  const paused = useConversation(id)?.paused ?? false;
  if (!live && !paused) return null;
  return (
    <span className="root-actions" data-shown={paused}>
      <PauseButton id={id} paused={paused} name={strings.pause.thisConversation} />
      {live && <StopButton id={id} name={strings.tree.stopConversation} />}
    </span>
  );
}

/** What the lead has said last; a press on it leads to the whole, as one on all of the root does. */
function Said({ runId }: { readonly runId: string }) {
  useTranscriptScope(runId);
  const text = useLive((state) => latestAnswer(state.transcripts.get(runId)));
  if (text === '') return null;
  return (
    <span className="root-said" dir="auto">
      {text}
    </span>
  );
}

interface RootProps {
  /** No set is drawn below it. */
  readonly alone: boolean;
}

/** The root of the tree while a lead holds the conversation: what was asked, and how the lead stands. */
function LeadRoot({ runId, sums, alone }: RootProps & { readonly runId: string; readonly sums: string }) {
  const now = useRun(runId);
  const run = useShownRun(runId) ?? now;
  const item = useItemProps(runId);
  const past = useReplay((state) => state.past !== null);
  if (run === undefined) return null;
  const broken = MARK_FACTS[markOf(run)].broken;
  const words = broken ? strings.tree.failedOf(failureText(run)) : run.words.toLowerCase();
  return (
    <div
      className="tree-root is-lead"
      data-alone={alone}
      {...item}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('button') === null) ui.selectRun(runId);
      }}
    >
      <TrunkMark />
      <span className="el text-13 font-semi" dir="auto" title={hintOf(run)}>
        {firstLine(run.goal)}
      </span>
      <RootActions id={run.conversation_id} live={now !== undefined && isLive(now.state)} />
      <span className="root-origin">
        {MARK_FACTS[markOf(run)].needsYou && <Glyph mark={markOf(run)} named />}
        <span className={`el ${broken ? 'text-bad-text' : ''}`}>
          {strings.tree.origin(formatTime(run.queued_at), run.agent, words)}
          {sums}
        </span>
      </span>
      {!past && <Said runId={runId} />}
    </div>
  );
}

/** The root of the tree: the lead, or for a batch of the user's own the conversation's title. */
export function TreeRoot({ conversationId, alone }: RootProps & { readonly conversationId: string }) {
  const conversation = useConversation(conversationId);
  const past = useReplay((state) => state.past !== null);
  if (conversation === undefined) return null;
  const { sets, runs, ended, lead_run_id: lead } = conversation;
  const sums = [
    // How many they were at a moment of before, the cards show.
    ...(sets === 0 || past ? [] : [strings.tree.sets(sets), strings.tree.runs(runs)]),
    ...(conversation.scripted ? [strings.tree.scripted] : []),
  ]
    .map((part) => ` · ${part}`)
    .join('');
  if (lead !== null) return <LeadRoot runId={lead} sums={sums} alone={alone} />;
  return (
    <div className="tree-root">
      <TrunkMark />
      <span className="el text-13 font-semi" dir="auto" title={visibleText(conversation.title)}>
        {visibleText(conversation.title)}
      </span>
      <RootActions id={conversationId} live={ended < runs} />
      <span className="root-origin">
        <span className="el">
          {strings.tree.originBatch(formatTime(conversation.created_at))}
          {sums}
        </span>
      </span>
    </div>
  );
}
