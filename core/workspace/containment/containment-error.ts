/** Why a path was not used. Every message says what to do instead, for a model or a person to read. */
export type ContainmentCode =
  | 'bad_path'
  | 'name_too_long'
  | 'reserved_name'
  | 'outside_workspace'
  | 'link'
  | 'not_found'
  | 'not_a_file'
  | 'not_a_folder'
  | 'exists'
  | 'changed'
  | 'denied'
  | 'io';

export interface ContainmentError {
  readonly code: ContainmentCode;
  /** The path as it was given. */
  readonly path: string;
  readonly message: string;
}

const WORDS: Readonly<Record<string, readonly [ContainmentCode, string]>> = {
  ENOENT: ['not_found', 'does not exist'],
  ENOTDIR: ['not_a_folder', 'has a file in its path where a folder is needed'],
  ELOOP: ['link', 'is a link where none is followed; use the path that it points to'],
  ENAMETOOLONG: ['name_too_long', 'is too long for the file system'],
  EACCES: ['denied', 'may not be accessed (file permissions)'],
  EPERM: ['denied', 'may not be accessed (file permissions)'],
  EROFS: ['denied', 'is on a read-only file system'],
  EISDIR: ['not_a_file', 'is a folder'],
  EEXIST: ['exists', 'exists already'],
  ENXIO: ['not_a_file', 'is not a regular file'],
  ENOSPC: ['io', 'could not be written: the disk is full'],
  EDQUOT: ['io', 'could not be written: the disk quota is used up'],
};

/** The failure of a file system call on `path` as an expected outcome. Anything that is no system error is a bug and thrown again. */
export function containmentError(path: string, cause: unknown): ContainmentError {
  if (!(cause instanceof Error) || !('code' in cause) || typeof cause.code !== 'string') throw cause;
  const [code, words] = WORDS[cause.code] ?? ['io', `could not be used (${cause.code})`];
  return { code, path, message: `"${path}" ${words}.` };
}

/** The system's code of a failed call (`ENOENT`), or null. */
export function systemCode(cause: unknown): string | null {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
}
