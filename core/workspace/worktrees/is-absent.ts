/** Whether an error of the file system proves that nothing is there. Any other leaves it open, and what is not known is not touched. */
export function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
