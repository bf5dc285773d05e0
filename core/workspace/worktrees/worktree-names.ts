/** Long enough to recognise a task by, short enough for paths on Windows. */
const MAX_SLUG = 40;
const MAX_CONVERSATION = 24;

/** Names that Windows keeps for devices. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * A name for branch and folder from any text: lower-case letters, digits, single hyphens. So it holds no `/`, `..`, `~`, no
 * `.lock` at its end, and two names that differ only in case are equal here and not only on some file systems (B27).
 */
export function slugOf(text: string, fallback: string, max = MAX_SLUG): string {
  const plain = text
    .slice(0, 1000)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, max)
    .replace(/-+$/, '');
  if (plain === '') return fallback;
  return DEVICE.test(plain) ? `task-${plain}` : plain;
}

/** A place for one worktree: its branch, and its folder's names below the folder of all worktrees. */
export interface WorktreeName {
  readonly conversation: string;
  readonly slug: string;
}

/** All branches of worktrees are below this. */
export const BRANCH_ROOT = 'espalier';

/** Names to try in turn: the plain one, then ones that nobody else tries at the same time. */
export function worktreeName(conversation: string, slugSource: string, hex: string | null): WorktreeName {
  const slug = slugOf(slugSource, 'task');
  return {
    conversation: slugOf(conversation, 'conversation', MAX_CONVERSATION),
    slug: hex === null ? slug : `${slug}-${hex}`,
  };
}

/** The branch's short name (W1). */
export function branchOf({ conversation, slug }: WorktreeName): string {
  return `${BRANCH_ROOT}/${conversation}/${slug}`;
}
