import { useMemo } from 'react';
import { startStrings } from '../../shared/start-strings.ts';
import { afterOf, placesInWords, type After } from './after.ts';
import { useBatch } from './batch-store.ts';
import { layoutOrder, NODE, stepsOf } from './order-graph.ts';

const words = startStrings.batch;

const WIDTH = 232;
/** Of more tasks a picture would say less than the steps. */
const MOST_DRAWN = 40;
/** Steps that are listed. */
const MOST_STEPS = 8;
/** Notes under the picture. */
const MOST_NOTES = 4;

function Steps({ waits }: { readonly waits: readonly (readonly number[])[] }) {
  const steps = stepsOf(waits);
  return (
    <ol>
      {steps.slice(0, MOST_STEPS).map((count, step) => (
        <li key={step} className="batch-pair">
          <span>{step === 0 ? words.firstStep : words.nextStep}</span>
          <span className="text-ink-2">{words.count(count)}</span>
        </li>
      ))}
      {steps.length > MOST_STEPS && <li className="text-ink-3">{words.moreSteps(steps.length - MOST_STEPS)}</li>}
    </ol>
  );
}

function Picture({ after, wrong }: { readonly after: readonly After[]; readonly wrong: ReadonlySet<number> }) {
  const graph = useMemo(
    () =>
      layoutOrder(
        after.map(({ places }) => places),
        WIDTH,
      ),
    [after],
  );
  const said = after.flatMap(({ places }, place) =>
    places.length === 0 ? [] : [words.waitsFor(place + 1, placesInWords(places))],
  );
  return (
    <div className="overflow-x-auto" tabIndex={graph.width > WIDTH ? 0 : undefined}>
      <svg
        width={graph.width}
        height={graph.height}
        viewBox={`0 0 ${graph.width} ${graph.height}`}
        fill="none"
        role="img"
        aria-label={words.orderPicture(said.join(', '))}
      >
        <path d={graph.edges.join('')} stroke="var(--edge)" />
        {graph.nodes.map(({ place, x, y }) => {
          const bad = wrong.has(place);
          return (
            <g key={place}>
              <rect
                x={x}
                y={y}
                width={NODE.width - 1}
                height={NODE.height}
                rx="3"
                fill={bad ? 'var(--bad-bg)' : 'var(--bg-2)'}
                stroke={bad ? 'var(--bad)' : 'var(--line-strong)'}
              />
              <text
                x={x + (NODE.width - 1) / 2}
                y={y + 14}
                textAnchor="middle"
                fontSize="11"
                fontWeight="500"
                fill={bad ? 'var(--bad-text)' : 'var(--text-1)'}
              >
                {place + 1}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

/** `1 and 2`, `1, 2 and 5`, `1 to 7`. */
function spoken(places: readonly number[]): string {
  return placesInWords(places)
    .replace('–', ' to ')
    .replace(/, ([^,]+)$/, ' and $1');
}

function Notes({ after }: { readonly after: readonly After[] }) {
  const notes = after.flatMap(({ places, anyOutcome }, place) =>
    anyOutcome && places.length > 0 ? [words.anyOutcome(place + 1, spoken(places), places.length > 1)] : [],
  );
  return notes.slice(0, MOST_NOTES).map((note) => (
    <p key={note} className="mt-2 text-11 text-ink-3">
      {note}
    </p>
  ));
}

/** Which task begins when. */
export function OrderOfWork() {
  const draft = useBatch((state) => state.draft);
  const ofRow = useBatch((state) => state.problems.ofRow);
  const untouched = useBatch((state) => state.untouched);
  const after = useMemo(() => afterOf(draft), [draft]);
  const wrong = useMemo(
    () => new Set(draft.rows.flatMap(({ key }, place) => (ofRow.has(key) && key !== untouched ? [place] : []))),
    [draft.rows, ofRow, untouched],
  );
  const waits = after.map(({ places }) => places);
  if (after.length === 0) return null;
  return (
    <section className="batch-panel" aria-label={words.order}>
      <h2>{words.order}</h2>
      {waits.every((list) => list.length === 0) ? (
        <p className="text-ink-2">{words.orderAll}</p>
      ) : after.length > MOST_DRAWN ? (
        <Steps waits={waits} />
      ) : (
        <Picture after={after} wrong={wrong} />
      )}
      <Notes after={after} />
    </section>
  );
}
