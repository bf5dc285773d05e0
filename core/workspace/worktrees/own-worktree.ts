import { join } from 'node:path';
import type { Worktree } from '../../protocol/worktree.ts';
import { isInside } from '../containment/resolve-inside.ts';
import { realAncestor } from './real-ancestor.ts';

/** Whether a worktree lies in this data folder. One that does not is another folder's, of which this one is a copy, and may be at work there. */
export async function isOwnWorktree(dataFolder: string, { path }: Pick<Worktree, 'path'>): Promise<boolean> {
  return isInside(join(await realAncestor(dataFolder), 'worktrees'), path);
}
