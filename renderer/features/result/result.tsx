import { useQuery } from '@tanstack/react-query';
import { isEnded } from '../../../core/protocol/lifecycle.ts';
import type { ResultEntry } from '../../../core/protocol/result-entry.ts';
import type { RunRow } from '../../../core/protocol/rows.ts';
import { api, describeFailure } from '../../app/client.ts';
import { useScripted } from '../../app/cost.tsx';
import { useRun } from '../../app/live-rows.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { MARK_FACTS, markOf } from '../../shared/status.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Acceptance, Facts, Files, Output, Part, Processes } from './result-parts.tsx';
import { caveatWords, historyFacts, resultJson, resultMarkdown, usageFacts, worktreeFacts } from './result-words.ts';
import './result.css';

const words = runStrings.result;

function Verdict({ run, result }: { readonly run: RunRow; readonly result: ResultEntry }) {
  const mark = markOf(run);
  const caveats = caveatWords(result);
  return (
    <div className="result-verdict">
      <div className="flex items-center gap-2">
        <Glyph mark={mark} />
        <span className={`grow font-med ${MARK_FACTS[mark].broken ? 'text-bad-text' : ''}`}>{run.words}</span>
        <span className="flex-none text-11 text-ink-3">{words.copyAs}</span>
        <CopyButton name={words.copyMarkdown} label="Markdown" text={() => resultMarkdown(run, result)} />
        <CopyButton name={words.copyJson} label="JSON" text={() => resultJson(result)} />
      </div>
      {caveats.map((caveat) => (
        <p key={caveat} className="flex gap-2 pl-6 text-warn">
          {caveat}
        </p>
      ))}
    </div>
  );
}

function Trouble({ run, result }: { readonly run: RunRow; readonly result: ResultEntry }) {
  const error = result.error ?? run.error;
  if (error === null || error === undefined || error === '') return null;
  return (
    <Part title={words.error}>
      <pre className="result-text text-bad-text" tabIndex={0}>
        {visibleText(error.slice(0, 20_000))}
      </pre>
      {run.advice !== null && <p className="result-advice">{visibleText(run.advice)}</p>}
    </Part>
  );
}

function Whole({ run, result }: { readonly run: RunRow; readonly result: ResultEntry }) {
  const history = historyFacts(run);
  const scripted = useScripted(run.conversation_id);
  return (
    <div
      className="result-scroller"
      tabIndex={0}
      data-pane-focus
      role="region"
      aria-label={runStrings.transcript.result}
    >
      <Verdict run={run} result={result} />
      <Trouble run={run} result={result} />
      <Part title={words.summary}>
        {result.summary.trim() === '' ? (
          <p className="text-ink-3">{words.noSummary}</p>
        ) : (
          <Markdown text={result.summary} />
        )}
        {result.summary_truncated === true && (
          <p className="mt-1 text-11 text-ink-3 select-text">
            {words.summaryCut(visibleText(result.summary_path ?? ''))}
          </p>
        )}
      </Part>
      <Output result={result} />
      <Acceptance result={result} />
      {result.missed_steer !== undefined && result.missed_steer.length > 0 && (
        <Part title={words.missed}>
          {result.missed_steer.map((text) => (
            <p key={text} className="flex gap-2 text-ink-2 select-text">
              <Icon name="warning" /> {visibleText(text)}
            </p>
          ))}
        </Part>
      )}
      <Processes title={words.survivors} processes={run.survivors} />
      <Processes title={words.background} processes={result.background ?? []} />
      <Files title={words.filesWritten} paths={result.files_written} />
      <Files title={words.filesRead} paths={result.files_read} />
      {result.worktree != null && (
        <Part title={words.worktree}>
          <Facts facts={worktreeFacts(result.worktree)} />
        </Part>
      )}
      <Part title={words.usage}>
        <Facts facts={[...usageFacts(result, scripted), ...history]} />
      </Part>
    </div>
  );
}

function NotYet({ run }: { readonly run: RunRow }) {
  return (
    <div className="result-scroller">
      <p className="mt-3 font-med">
        {words.none}: {run.words}
      </p>
      <p className="text-ink-3">{words.noneHint}</p>
      {run.summary !== null && run.summary.trim() !== '' && (
        <Part title={words.soFar}>
          <Markdown text={run.summary} />
        </Part>
      )}
    </div>
  );
}

/** The result entry of a run, once it has ended. */
export function Result({ runId }: { readonly runId: string }) {
  const run = useRun(runId);
  const ended = run !== undefined && isEnded(run.state);
  const options = api.runs.show.queryOptions({ input: { id: runId }, enabled: ended });
  // A verdict of `lost` may be mended by proof, and a retry leaves its mark: then the entry is another.
  const { data, error, refetch } = useQuery({
    ...options,
    queryKey: [...options.queryKey, run?.ended_at, run?.outcome, run?.retried_by],
  });
  if (run === undefined) return null;
  if (!ended) return <NotYet run={run} />;
  if (error !== null) {
    return (
      <div role="alert" className="result-scroller">
        <p className="mt-3 font-med">{words.failed}</p>
        <p className="mb-2 text-ink-2">{describeFailure(error).message}</p>
        <Button onClick={() => void refetch()}>{runStrings.transcript.again}</Button>
      </div>
    );
  }
  if (data === undefined) return <p className="inspector-gone">{runStrings.transcript.loading}</p>;
  return data.result === null ? <NotYet run={run} /> : <Whole run={run} result={data.result} />;
}
