import { runStrings } from '../shared/run-strings.ts';
import { boundedHead, type Bounds } from '../shared/text-bounds.ts';
import { visibleText } from '../shared/visible-text.ts';
import { useShownWhole } from './revealed.ts';

const FEW: Bounds = { lines: 12, characters: 4000 };
/** The most of one text that is ever put on the page; the rest is in the transcript's copy. */
const MOST: Bounds = { lines: 10_000, characters: 500_000 };

/** Plain text as it is, cut until asked for. */
export function BoundedText({
  text,
  bounds = FEW,
  className = '',
}: {
  readonly text: string;
  readonly bounds?: Bounds;
  readonly className?: string;
}) {
  const [all, showAll] = useShownWhole();
  const shown = boundedHead(text, all ? MOST : bounds);
  const { hiddenLines, hiddenCharacters } = shown;
  return (
    <>
      <div className={`plain-text ${className}`}>{visibleText(shown.text)}</div>
      {hiddenCharacters > 0 && !all && (
        <button type="button" className="show-more" onClick={showAll}>
          {hiddenLines > 0 ? runStrings.showLines(hiddenLines) : runStrings.characters(hiddenCharacters)}
        </button>
      )}
      {hiddenCharacters > 0 && all && <p className="text-11 text-ink-3">{runStrings.characters(hiddenCharacters)}</p>}
    </>
  );
}
