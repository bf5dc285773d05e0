import { viewStrings } from '../../shared/view-strings.ts';

/** What a view says while it has nothing to show: nothing matches, or there is nothing yet. */
export function NoRows({ all }: { readonly all: number }) {
  const words = viewStrings.filter;
  return (
    <div className="frame-empty">
      <p className="text-13 font-semi">{all > 0 ? words.nothing : words.none}</p>
      {all === 0 && <p className="text-ink-3">{words.noneHint}</p>}
    </div>
  );
}
