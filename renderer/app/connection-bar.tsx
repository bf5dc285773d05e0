import { strings } from '../shared/strings.ts';
import { Button } from '../ui/button.tsx';
import { retryNow, useConnection, type ConnectionState } from './connection.ts';
import { useApp } from './live-rows.ts';

const WORDS: Readonly<Record<ConnectionState, string | null>> = {
  connecting: null,
  open: null,
  lost: strings.connection.lost,
  refused: strings.connection.refused,
  behind: strings.connection.behind,
};

/** Says what stands between the page and the core, and trouble of the storage. */
export function ConnectionBar() {
  const state = useConnection((connection) => connection.state);
  const trouble = useApp()?.storage_banner ?? null;
  const words = WORDS[state];
  return (
    <div role="status">
      {words !== null && (
        <div className="notice-bar">
          <span className="grow">{words}</span>
          {state === 'behind' ? (
            <Button
              onClick={() => {
                location.reload();
              }}
            >
              {strings.connection.reload}
            </Button>
          ) : (
            <Button onClick={retryNow}>{strings.connection.tryNow}</Button>
          )}
        </div>
      )}
      {trouble !== null && <div className="notice-bar">{trouble}</div>}
    </div>
  );
}
