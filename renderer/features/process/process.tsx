import { useQuery } from '@tanstack/react-query';
import { isEnded, isLive } from '../../../core/protocol/lifecycle.ts';
import type { AttemptView, RunProcesses } from '../../../core/protocol/processes.ts';
import { isOutside, type RunRow } from '../../../core/protocol/rows.ts';
import { api, describeFailure } from '../../app/client.ts';
import { useRun } from '../../app/live-rows.ts';
import { formatClock, formatDuration } from '../../shared/format.ts';
import { inspectStrings } from '../../shared/inspect-strings.ts';
import { proofWords } from '../../shared/proof-words.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { ProcessTable } from './process-table.tsx';
import { Survivors } from './survivors.tsx';
import './process.css';

const words = inspectStrings.process;

/** Measuring costs: only this view asks, and not more often. */
const EVERY_MS = 2000;

function endWords(run: RunRow): string {
  if (!isEnded(run.state)) return words.notEnded;
  if (run.proof === null) return words.notProved;
  return run.proof.method === 'observed' ? `${words.proved} ${proofWords(run.proof)}` : proofWords(run.proof);
}

function Attempt({ attempt }: { readonly attempt: AttemptView }) {
  const { n, state, pid, started_at, ended_at } = attempt;
  const seconds = ended_at === null ? null : (ended_at - started_at) / 1000;
  return (
    <li className="process-attempt">
      <span className="font-med">{words.attempt(n)}</span>
      <span className="text-ink-2">{words.attemptStates[state] ?? state}</span>
      <span className="grow" />
      <span className="num text-ink-3">{pid === null ? '' : words.attemptPid(pid)}</span>
      <span className="num text-ink-3">{formatClock(started_at)}</span>
      <span className="num text-ink-3">{seconds === null ? '' : formatDuration(seconds)}</span>
    </li>
  );
}

function Now({ run, data }: { readonly run: RunRow; readonly data: RunProcesses }) {
  if (isOutside(run)) return <p className="process-none">{words.outside}</p>;
  if (data.processes === null) return <p className="process-none">{words.none}</p>;
  if (data.processes.length === 0) return <p className="process-none">{words.notTold}</p>;
  return <ProcessTable at={data.at} processes={data.processes} />;
}

/** What of the machine belongs to a run: its processes now, the proof of its end, what survived it, its attempts. */
export function Process({ runId }: { readonly runId: string }) {
  const run = useRun(runId);
  const options = api.runs.processes.queryOptions({ input: { run_id: runId } });
  const { data, error, refetch } = useQuery({
    ...options,
    queryKey: [...options.queryKey, run?.ended_at, run?.attempts, run?.survivors.length],
    placeholderData: (before) => before,
    refetchInterval: run !== undefined && isLive(run.state) ? EVERY_MS : false,
    staleTime: 0,
  });
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
  return (
    <div className="process-scroller" role="region" aria-label={words.name} tabIndex={0} data-pane-focus>
      <Now run={run} data={data} />
      <Survivors runId={runId} survivors={data.survivors} onEnded={() => void refetch()} />
      <section className="process-part" aria-label={words.end}>
        <h3 className="font-med">{words.end}</h3>
        <p className="text-ink-2 select-text">{visibleText(endWords(run))}</p>
      </section>
      {data.attempts.length > 0 && (
        <section className="process-part" aria-label={words.attempts}>
          <h3 className="font-med">{words.attempts}</h3>
          <ul>
            {data.attempts.map((attempt) => (
              <Attempt key={attempt.attempt_id} attempt={attempt} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
