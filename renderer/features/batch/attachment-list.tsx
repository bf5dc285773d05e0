import { startStrings } from '../../shared/start-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { edit } from './batch-store.ts';
import type { Row } from './draft.ts';
import { withTask } from './row-operations.ts';
import { attachmentsOf, withoutAttachment } from './task-attachments.ts';

const words = startStrings.batch;

/** The images and files that go along with a task, each with a way to leave it out. */
export function AttachmentList({ row, number }: { readonly row: Row; readonly number: number }) {
  const attachments = attachmentsOf(row.task);
  if (attachments.length === 0) return null;
  return (
    <ul className="task-attachments" aria-label={words.attachments(number)}>
      {attachments.map(({ field, path, name }) => (
        <li key={`${field} ${path}`} title={visibleText(path)}>
          <Icon name="file" />
          <span className="el">{visibleText(name)}</span>
          <IconButton
            icon="close"
            name={words.leaveOut(visibleText(name))}
            onClick={() => edit((draft) => withTask(draft, row.key, (task) => withoutAttachment(task, field, path)))}
          />
        </li>
      ))}
    </ul>
  );
}
