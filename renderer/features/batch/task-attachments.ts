import { MAX_IMAGES } from '../../../core/protocol/images.ts';
import { imageName, saveImage } from '../../app/image-files.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { workStrings } from '../../shared/work-strings.ts';
import { toastError } from '../../ui/toast.tsx';
import { attachFiles } from './attach.ts';
import { edit, useBatch } from './batch-store.ts';
import type { TaskFields } from './draft.ts';
import type { DroppedItem } from './dropped-data.ts';
import { readFileText } from './file-text.ts';
import { withTask } from './row-operations.ts';
import { listOf, textOf, withField } from './task-fields.ts';

/** Fields of a task that hold paths of what goes along with it. */
export type AttachmentField = 'images' | 'files';

/** Something that goes along with a task. */
export interface Attachment {
  readonly field: AttachmentField;
  readonly path: string;
  /** The end of its path. */
  readonly name: string;
}

/** What goes along with a task: images first, then files. */
export function attachmentsOf(task: TaskFields): readonly Attachment[] {
  return (['images', 'files'] as const).flatMap((field) =>
    listOf(task, field).map((path) => ({ field, path, name: nameOf(path) })),
  );
}

/** The end of a path; images are kept with a prefix that tells them apart. */
const nameOf = (path: string): string => (path.split(/[\\/]/).at(-1) ?? path).replace(/^[0-9a-f]{12}-/, '');

/** Adds a path; what is there already stays once. */
export function withAttachment(task: TaskFields, field: AttachmentField, path: string): TaskFields {
  const paths = listOf(task, field);
  return paths.includes(path) ? task : withField(task, field, [...paths, path]);
}

export function withoutAttachment(task: TaskFields, field: AttachmentField, path: string): TaskFields {
  const rest = listOf(task, field).filter((other) => other !== path);
  return withField(task, field, rest.length === 0 ? undefined : rest);
}

function refuse(name: string, why: string): void {
  const shown = visibleText(name);
  toastError(workStrings.composer.notAttached(shown), why, `${shown}\n${why}`);
}

const taskOf = (key: string): TaskFields => useBatch.getState().draft.rows.find((row) => row.key === key)?.task ?? {};

async function attachImage(key: string, file: File): Promise<void> {
  const { project } = useBatch.getState();
  const name = imageName(file);
  if (project === null) return refuse(name, startStrings.batch.noProjectForImages);
  if (listOf(taskOf(key), 'images').length >= MAX_IMAGES)
    return refuse(name, startStrings.batch.tooManyImages(MAX_IMAGES));
  const saved = await saveImage(project, file);
  if (typeof saved === 'string') return refuse(name, saved);
  edit((draft) => withTask(draft, key, (task) => withAttachment(task, 'images', saved.path)));
}

/** A text without a path becomes a part of the context. */
async function attachText(key: string, { file, name }: DroppedItem<File>): Promise<void> {
  const read = await readFileText(file);
  const text = read.type === 'text' ? read.text : null;
  const { draft: context, left } = attachFiles(textOf(taskOf(key), 'context'), [{ name, path: '', text }]);
  if (left.length > 0) refuse(name, read.type === 'text' ? runStrings.steer.tooMuch : read.why);
  else edit((draft) => withTask(draft, key, (task) => withField(task, 'context', context.trim())));
}

/** Attaches dropped or pasted files to a task: images are kept by the core, others go by their path, or as text where there is none. */
export async function attachToTask(key: string, items: readonly DroppedItem<File>[]): Promise<void> {
  for (const item of items) {
    if (item.file.type.startsWith('image/')) await attachImage(key, item.file);
    else if (item.path !== '')
      edit((draft) => withTask(draft, key, (task) => withAttachment(task, 'files', item.path)));
    else await attachText(key, item);
  }
}

/** Lets the person choose images, by the system's dialog. */
export function chooseImages(key: string): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = 'image/*';
  input.multiple = true;
  input.addEventListener('change', () => {
    const chosen = [...(input.files ?? [])];
    void attachToTask(
      key,
      chosen.map((file) => ({ file, name: file.name, folder: false, path: '' })),
    );
  });
  input.click();
}
