import { memo, useMemo, useState, type KeyboardEvent } from 'react';
import { diffLines, type DiffLine } from '../../shared/diff-lines.ts';
import { diffPairs } from '../../shared/diff-pairs.ts';
import { inspectStrings } from '../../shared/inspect-strings.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { useColours, type ColoursOf } from './code-colours.ts';

const words = inspectStrings.changes;
const SIGNS = { same: '', add: '+', remove: '−', gap: '', note: '' } as const satisfies Record<
  DiffLine['type'],
  string
>;

/** Rows shown before *Show all*; and the most that are ever drawn. */
const FIRST = 60;
const MOST = 5000;

type OnComment = ((line: DiffLine) => void) | null;

function LineNumber({
  line,
  side,
  onComment,
}: {
  readonly line: DiffLine;
  readonly side: 'before' | 'after';
  readonly onComment: OnComment;
}) {
  const number = side === 'before' ? line.before : line.after;
  if (line.type === 'gap' || line.type === 'note' || number === null) return <i>{line.type === 'gap' ? '⋯' : ''}</i>;
  if (onComment === null) return <i>{number}</i>;
  return (
    <button
      type="button"
      className="diff-number"
      tabIndex={-1}
      aria-label={words.comment(number)}
      title={words.comment(number)}
      onClick={() => {
        onComment(line);
      }}
    >
      {number}
    </button>
  );
}

function Code({ line, colours }: { readonly line: DiffLine; readonly colours: ColoursOf }) {
  const pieces = colours(line);
  return (
    <code>
      {pieces === null
        ? visibleText(line.text)
        : pieces.map(({ content, color }, place) => (
            <span key={place} style={{ color }}>
              {visibleText(content)}
            </span>
          ))}
    </code>
  );
}

interface RowProps {
  readonly line: DiffLine;
  readonly colours: ColoursOf;
  readonly onComment: OnComment;
}

function Row({ line, side, colours, onComment }: RowProps & { readonly side: 'before' | 'after' }) {
  return (
    <div className="diff-line" data-type={line.type}>
      <LineNumber line={line} side={side} onComment={onComment} />
      <span>{SIGNS[line.type]}</span>
      <Code line={line} colours={colours} />
    </div>
  );
}

/** Up and down between the numbers of the lines; the first is reached from the diff itself. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const numbers = [...event.currentTarget.querySelectorAll<HTMLElement>('.diff-number')];
  if (step === undefined || numbers.length === 0) return;
  const here = numbers.findIndex((number) => number === document.activeElement);
  const next = numbers[here === -1 && step === -1 ? numbers.length - 1 : here + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

function Split({
  lines,
  colours,
  onComment,
}: {
  readonly lines: readonly DiffLine[];
  readonly colours: ColoursOf;
  readonly onComment: OnComment;
}) {
  const pairs = useMemo(() => diffPairs(lines), [lines]);
  return (['before', 'after'] as const).map((side) => (
    <div key={side} className="diff-side" role="group" aria-label={words[side]} tabIndex={0}>
      <div className="diff-body">
        {pairs.map((pair, place) => {
          const line = pair[side];
          return line === null ? (
            <div key={place} className="diff-line is-empty" />
          ) : (
            <Row key={place} line={line} side={side} colours={colours} onComment={onComment} />
          );
        })}
      </div>
    </div>
  ));
}

/** The diff of one file, inline or side by side, in the colours of its language; a number is a way to comment on its line. */
export const FileDiff = memo(function FileDiff({
  diff,
  path,
  view,
  onComment,
}: {
  readonly diff: string;
  readonly path: string;
  readonly view: 'inline' | 'split';
  readonly onComment: OnComment;
}) {
  const lines = useMemo(() => diffLines(diff), [diff]);
  const colours = useColours(lines, path);
  const [all, setAll] = useState(false);
  const shown = useMemo(() => lines.slice(0, all ? MOST : FIRST), [lines, all]);
  return (
    <>
      <div
        className="diff"
        data-view={view}
        role="group"
        aria-label={runStrings.changes.changesOf(visibleText(path))}
        tabIndex={0}
        onKeyDown={walk}
      >
        {view === 'split' ? (
          <Split lines={shown} colours={colours} onComment={onComment} />
        ) : (
          <div className="diff-body">
            {shown.map((line, place) => (
              <Row
                key={place}
                line={line}
                side={line.type === 'remove' ? 'before' : 'after'}
                colours={colours}
                onComment={onComment}
              />
            ))}
          </div>
        )}
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
