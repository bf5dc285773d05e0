import { runStrings } from '../../shared/run-strings.ts';
import { Button } from '../../ui/button.tsx';
import type { Earlier } from './use-earlier.ts';

/** What lies over the edges: earlier entries that are on their way, and the way to the end. */
export function Edges({
  earlier,
  more,
  atEnd,
  onEnd,
}: {
  readonly earlier: Earlier;
  readonly more: boolean;
  readonly atEnd: boolean;
  readonly onEnd: () => void;
}) {
  return (
    <>
      {more && earlier.state === 'loading' && (
        <p className="transcript-edge is-top">{runStrings.transcript.loadingEarlier}</p>
      )}
      {more && earlier.state === 'failed' && (
        <p className="transcript-edge is-top" role="alert">
          {runStrings.transcript.loadFailed}{' '}
          <button type="button" className="link" onClick={earlier.load}>
            {runStrings.transcript.again}
          </button>
        </p>
      )}
      {!atEnd && (
        <Button icon="end" className="transcript-edge is-bottom" onClick={onEnd}>
          {runStrings.transcript.toEnd}
        </Button>
      )}
    </>
  );
}
