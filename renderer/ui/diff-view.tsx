import { memo, useMemo, useState } from 'react';
import { diffLines, type DiffLine } from '../shared/diff-lines.ts';
import { runStrings } from '../shared/run-strings.ts';
import { visibleText } from '../shared/visible-text.ts';

const SIGNS = { same: '', add: '+', remove: '−', gap: '', note: '' } as const satisfies Record<
  DiffLine['type'],
  string
>;

/** Lines shown before *Show all*; and the most that are ever drawn. */
const FIRST = 24;
const MOST = 5000;

function Line({ line }: { readonly line: DiffLine }) {
  return (
    <div className="diff-line" data-type={line.type}>
      <i>{line.type === 'gap' ? '⋯' : (line.after ?? line.before)}</i>
      <span>{SIGNS[line.type]}</span>
      <code>{visibleText(line.text)}</code>
    </div>
  );
}

/** A unified diff with line numbers; long ones are cut until asked for. */
export const DiffView = memo(function DiffView({ diff, name }: { readonly diff: string; readonly name: string }) {
  const lines = useMemo(() => diffLines(diff), [diff]);
  const [all, setAll] = useState(false);
  const shown = lines.slice(0, all ? MOST : FIRST);
  return (
    <>
      <div className="diff" role="group" aria-label={name} tabIndex={0}>
        <div className="diff-body">
          {shown.map((line, place) => (
            <Line key={place} line={line} />
          ))}
        </div>
      </div>
      {!all && lines.length > FIRST && (
        <button
          type="button"
          className="show-more"
          onClick={() => {
            setAll(true);
          }}
        >
          {runStrings.showLines(lines.length - FIRST)}
        </button>
      )}
    </>
  );
});
