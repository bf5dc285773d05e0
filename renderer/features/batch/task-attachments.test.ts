import { expect, test } from 'vitest';
import { attachmentsOf, withAttachment, withoutAttachment } from './task-attachments.ts';

test('what goes along with a task is added once, shown by the end of its path, and leaves no empty field', () => {
  const odd = '/home/kim/a “b”\n🍐.png';
  const task = withAttachment(withAttachment({ goal: 'x' }, 'images', odd), 'files', 'C:\\notes\\plums.md');
  expect(withAttachment(task, 'images', odd)).toBe(task);
  expect(attachmentsOf(task).map(({ field, name }) => [field, name])).toEqual([
    ['images', 'a “b”\n🍐.png'],
    ['files', 'plums.md'],
  ]);
  const less = withoutAttachment(task, 'images', odd);
  expect(withoutAttachment(less, 'files', 'C:\\notes\\plums.md')).toEqual({ goal: 'x' });
  expect(attachmentsOf({ goal: 'x', images: 'no list', files: [1] })).toEqual([]);
});
