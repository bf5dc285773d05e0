import { useReplay } from '../../app/replay.ts';
import { nothingWords } from './nothing-words.ts';

/** What a view says while it has nothing to show: nothing matches, there is nothing yet, or there was nothing at the moment that is replayed. */
export function NoRows({ all }: { readonly all: number }) {
  const { title, hint } = nothingWords(
    all,
    useReplay((state) => state.past !== null),
  );
  return (
    <div className="frame-empty">
      <p className="text-13 font-semi">{title}</p>
      {hint !== null && <p className="text-ink-3">{hint}</p>}
    </div>
  );
}
