import { useEffect, useRef, useState, type RefObject } from 'react';
import { isEnded, isLive } from '../../../core/protocol/lifecycle.ts';
import type { RunRow } from '../../../core/protocol/rows.ts';
import { useCommand } from '../../app/commands.ts';
import { useEntryCount, useRun, useTranscriptScope } from '../../app/live-rows.ts';
import { useLive } from '../../app/live.ts';
import { failureText } from '../../app/row-text.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { MARK_FACTS, markOf } from '../../shared/status.ts';
import { IconButton } from '../../ui/button.tsx';
import { markMatches } from '../../ui/mark-matches.ts';
import { FindBar } from './find-bar.tsx';
import { itemReader, type ItemList } from './items.ts';
import { TranscriptList } from './transcript-list.tsx';
import { useEarlier } from './use-earlier.ts';
import { useFind } from './use-find.ts';
import { useJumpHere } from './use-jump.ts';
import './transcript.css';

/** Marks what is looked for in what is on the page. */
function useMarks(content: RefObject<HTMLDivElement | null>, query: string, filled: boolean): void {
  useEffect(() => {
    if (content.current === null) return;
    return markMatches(content.current, query);
  }, [content, query, filled]);
}

function OneTranscript({ runId }: { readonly runId: string }) {
  useTranscriptScope(runId);
  const [read] = useState(itemReader);
  const list = useLive((state) => read(state.transcripts.get(runId)));
  const count = useEntryCount(runId);
  const live = useRun(runId);
  const earlier = useEarlier(runId, list.first);
  const [finding, setFinding] = useState(false);
  const find = useFind(runId, list);
  const content = useRef<HTMLDivElement>(null);
  useJumpHere(runId, list, find, () => setFinding(true));
  useCommand({
    id: 'find',
    title: runStrings.transcript.find,
    chord: 'mod+f',
    run: () => {
      setFinding(true);
    },
  });
  const close = (): void => {
    setFinding(false);
    find.setQuery('');
  };
  const { query } = find;
  const filled = list.items.length > 0;
  useMarks(content, query, filled);
  return (
    <div className="transcript">
      {finding ? (
        <FindBar find={find} first={list.first} count={count ?? 0} onClose={close} />
      ) : (
        <IconButton
          icon="search"
          name={runStrings.transcript.find}
          chord="mod+f"
          className="find-open"
          onClick={() => {
            setFinding(true);
          }}
        />
      )}
      {filled ? (
        <TranscriptList
          runId={runId}
          list={list}
          live={live !== undefined && isLive(live.state)}
          earlier={earlier}
          target={find.target}
          query={query}
          content={content}
        />
      ) : (
        <p className="transcript-none">
          {count === undefined ? runStrings.transcript.loading : runStrings.transcript.empty}
        </p>
      )}
      {filled && list.first === 0 && <SilentEnd run={live} list={list} />}
    </div>
  );
}

/** How a command ended that printed nothing: its transcript would be what it was to run, and no more. */
function SilentEnd({ run, list }: { readonly run: RunRow | undefined; readonly list: ItemList }) {
  if (run?.runner !== 'command' || !isEnded(run.state) || list.items.some(({ type }) => type === 'output')) return null;
  const broken = MARK_FACTS[markOf(run)].broken;
  return (
    <p className={`transcript-end ${broken ? 'text-bad-text' : ''}`}>
      {runStrings.transcript.silent(broken ? failureText(run) : run.words)}
    </p>
  );
}

/** The transcript of a run, live. */
export function Transcript({ runId }: { readonly runId: string }) {
  return <OneTranscript key={runId} runId={runId} />;
}
