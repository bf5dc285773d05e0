import { startStrings } from '../../shared/start-strings.ts';
import { strings } from '../../shared/strings.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { dropReadFailures, settleEarlier, useBatch } from './batch-store.ts';
import { append, toBatch } from './draft.ts';

const words = startStrings.batch;

function Earlier() {
  const count = useBatch((state) => state.earlier?.rows.length ?? 0);
  if (count === 0) return null;
  return (
    <div className="batch-notice">
      <span className="grow text-ink-2">{words.earlier(count)}</span>
      <Button
        onClick={() => {
          settleEarlier((draft, earlier) => {
            const { title, skipped, sources } = earlier;
            const joined = append(draft, { batch: toBatch(earlier), title, skipped }, null);
            return { ...joined, sources: [...new Set([...joined.sources, ...sources])] };
          });
        }}
      >
        {words.bringBack}
      </Button>
      <Button kind="text" className="text-ink-2" onClick={() => settleEarlier(null)}>
        {words.forget}
      </Button>
    </div>
  );
}

/** What could not be read, and a draft that was put aside. */
export function EditorNotices() {
  const failures = useBatch((state) => state.readFailures);
  return (
    <>
      <Earlier />
      {failures.length > 0 && (
        <div className="batch-notice is-wrong" role="alert">
          <ul className="min-w-0 grow">
            {failures.map(({ name, message, fix }) => (
              <li key={`${name} ${message}`} className="wrap-anywhere">
                <span className="font-med text-bad-text">{words.parseFailed(name)}: </span>
                <span className="text-ink-1">{message}</span> <span className="text-ink-2">{fix}</span>
              </li>
            ))}
          </ul>
          <IconButton icon="close" name={strings.errors.dismiss} onClick={dropReadFailures} />
        </div>
      )}
    </>
  );
}
