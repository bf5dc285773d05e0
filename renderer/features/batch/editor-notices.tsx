import { startStrings } from '../../shared/start-strings.ts';
import { strings } from '../../shared/strings.ts';
import { IconButton } from '../../ui/button.tsx';
import { dropReadFailures, useBatch } from './batch-store.ts';
import { PutAsideList } from './put-aside-list.tsx';

const words = startStrings.batch;

/** What could not be read, and the drafts that were put aside. */
export function EditorNotices() {
  const failures = useBatch((state) => state.readFailures);
  return (
    <>
      <PutAsideList />
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
