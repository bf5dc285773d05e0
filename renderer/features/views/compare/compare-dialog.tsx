import { useQuery } from '@tanstack/react-query';
import type { RunRow } from '../../../../core/protocol/rows.ts';
import { api, describeFailure } from '../../../app/client.ts';
import { useScripted } from '../../../app/cost.tsx';
import { useRun } from '../../../app/live-rows.ts';
import { labelOf } from '../../../app/row-text.ts';
import { closeOverlay, openOverlay, ui, useOverlay } from '../../../app/ui-store.ts';
import { markOf } from '../../../shared/status.ts';
import { useNow } from '../../../shared/ticks.ts';
import { viewStrings } from '../../../shared/view-strings.ts';
import { visibleText } from '../../../shared/visible-text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Glyph } from '../../../ui/glyph.tsx';
import { compareFacts } from './compare-facts.ts';
import { Answers, Files } from './compare-parts.tsx';
import './compare.css';

const words = viewStrings.compare;

function Head({ run, side }: { readonly run: RunRow; readonly side: string }) {
  return (
    <th scope="col">
      <span className="compare-head">
        <span className="compare-side">{side}</span>
        <button
          type="button"
          className="compare-name"
          dir="auto"
          title={labelOf(run)}
          onClick={() => {
            closeOverlay();
            ui.selectRun(run.run_id);
          }}
        >
          {labelOf(run)}
        </button>
        <span className="compare-place">{run.tag.replaceAll(/^\[|\]$/g, '')}</span>
      </span>
    </th>
  );
}

function Outcome({ run }: { readonly run: RunRow }) {
  return (
    <td>
      <span className="flex gap-2">
        <Glyph mark={markOf(run)} />
        <span>{visibleText(run.failure_text ?? run.words)}</span>
      </span>
    </td>
  );
}

function Facts({ a, b }: { readonly a: RunRow; readonly b: RunRow }) {
  const now = useNow(a.active_since !== null || b.active_since !== null);
  const scripted = useScripted(a.conversation_id);
  return (
    <table className="compare-facts">
      <thead>
        <tr>
          <td />
          <Head run={a} side={words.sides[0]} />
          <Head run={b} side={words.sides[1]} />
          <th scope="col" className="num">
            {words.difference}
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{words.facts.outcome}</th>
          <Outcome run={a} />
          <Outcome run={b} />
          <td />
        </tr>
        {compareFacts(a, b, now, scripted).map((fact) => (
          <tr key={fact.id}>
            <th scope="row">{fact.name}</th>
            <td>{fact.a}</td>
            <td>{fact.b}</td>
            <td className="num">{fact.difference}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Comparison({ a, b }: { readonly a: RunRow; readonly b: RunRow }) {
  // An end brings the result: the question is another one then.
  const left = useQuery({
    ...api.runs.show.queryOptions({ input: { id: a.run_id } }),
    staleTime: a.ended_at === null ? 0 : 60_000,
  });
  const right = useQuery({
    ...api.runs.show.queryOptions({ input: { id: b.run_id } }),
    staleTime: b.ended_at === null ? 0 : 60_000,
  });
  const error = left.error ?? right.error;
  const results = { a: left.data?.result ?? null, b: right.data?.result ?? null };
  return (
    <div className="compare-body" tabIndex={0} role="region" aria-label={words.name}>
      <Facts a={a} b={b} />
      {error !== null && <p role="alert">{`${words.failed} ${describeFailure(error).message}`}</p>}
      <Files a={results.a} b={results.b} />
      <Answers a={{ run: a, result: results.a }} b={{ run: b, result: results.b }} />
    </div>
  );
}

/** Two runs side by side: how they ended, what they took, which files they wrote, what they answered. */
export function CompareDialog() {
  const overlay = useOverlay((state) => (state.overlay?.type === 'compare' ? state.overlay : null));
  const a = useRun(overlay?.a ?? null);
  const b = useRun(overlay?.b ?? null);
  if (a === undefined || b === undefined || overlay === null) return null;
  return (
    <Dialog name={words.name} className="compare" onClose={closeOverlay}>
      <header>
        <h2 className="grow text-15 font-semi">{words.name}</h2>
        <Button
          onClick={() => {
            openOverlay({ ...overlay, a: overlay.b, b: overlay.a });
          }}
        >
          {words.swap}
        </Button>
        <IconButton icon="close" name={viewStrings.compare.close} onClick={closeOverlay} />
      </header>
      <Comparison a={a} b={b} />
    </Dialog>
  );
}
