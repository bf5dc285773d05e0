/** A text as the name of a template: what a file name cannot hold becomes a space, and it is cut to 80 characters. */
export function usableName(text: string): string {
  const flat = text.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, ' ').replaceAll(/\s+/g, ' ');
  const name = flat.trim().replace(/^\.+\s*/, '');
  return [...name]
    .reduce((kept, character) => (kept.length + character.length > 80 ? kept : kept + character), '')
    .trim();
}

/** How many tasks a batch of any form has. */
export function countTasks(batch: unknown): number {
  if (Array.isArray(batch)) return batch.length;
  if (typeof batch !== 'object' || batch === null || !('tasks' in batch)) return 0;
  return Array.isArray(batch.tasks) ? batch.tasks.length : 0;
}
