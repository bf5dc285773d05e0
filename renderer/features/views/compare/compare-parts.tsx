import { useMemo } from 'react';
import type { ResultEntry } from '../../../../core/protocol/result-entry.ts';
import type { RunRow } from '../../../../core/protocol/rows.ts';
import { viewStrings } from '../../../shared/view-strings.ts';
import { visibleText } from '../../../shared/visible-text.ts';
import { diffAnswers, type Stretch } from './answer-diff.ts';
import { writtenFiles } from './compare-facts.ts';

const words = viewStrings.compare;

interface Pair {
  readonly run: RunRow;
  readonly result: ResultEntry | null;
}

const BY = { a: words.onlyIn(words.sides[0]), b: words.onlyIn(words.sides[1]), both: words.both } as const;

/** Files that the two wrote, and which of them did. */
export function Files({ a, b }: { readonly a: ResultEntry | null; readonly b: ResultEntry | null }) {
  const files = useMemo(() => writtenFiles(a, b), [a, b]);
  return (
    <section>
      <h3>{words.files}</h3>
      {files.length === 0 && <p className="text-ink-3">{words.noFiles}</p>}
      <ul className="compare-files">
        {files.map(({ path, by }) => (
          <li key={path}>
            <code className="el">{visibleText(path)}</code>
            <span className="flex-none text-11 text-ink-3">{BY[by]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Answer({
  name,
  run,
  stretches,
  change,
}: {
  readonly name: string;
  readonly run: RunRow;
  readonly stretches: readonly Stretch[];
  readonly change: 'add' | 'del';
}) {
  return (
    <div className="compare-answer" role="group" aria-label={name} tabIndex={0}>
      {stretches.length === 0 && (
        <span className="text-ink-3">{run.ended_at === null ? words.noAnswerYet : words.noAnswer}</span>
      )}
      {stretches.map(({ text, same }, place) =>
        same ? (
          <span key={place}>{text}</span>
        ) : (
          <mark key={place} className={`is-${change}`}>
            {text}
          </mark>
        ),
      )}
    </div>
  );
}

/** Both answers beside each other, with what only one of them says marked. */
export function Answers({ a, b }: { readonly a: Pair; readonly b: Pair }) {
  const [one, two] = [a, b].map(({ run, result }) => visibleText(result?.summary ?? run.summary ?? ''));
  const diff = useMemo(() => diffAnswers(one ?? '', two ?? ''), [one, two]);
  const whole = (text = ''): readonly Stretch[] => (text === '' ? [] : [{ text, same: true }]);
  return (
    <section>
      <h3>{words.answers}</h3>
      {one !== '' && one === two && <p className="text-ink-3">{words.same}</p>}
      {diff === null && <p className="text-ink-3">{words.tooLong}</p>}
      <div className="compare-answers">
        <Answer
          name={`${words.answers} ${words.sides[0]}`}
          run={a.run}
          stretches={diff?.a ?? whole(one)}
          change="del"
        />
        <Answer
          name={`${words.answers} ${words.sides[1]}`}
          run={b.run}
          stretches={diff?.b ?? whole(two)}
          change="add"
        />
      </div>
    </section>
  );
}
