import { sep } from 'node:path';
import type { ProcessDetails } from './process-entry.ts';

/** What is known about a tree beyond parents, sessions, groups and the marker. */
export interface TreeEvidence {
  /** The tag that the root had before it started anything (`linux-tag.ts`). */
  readonly tag?: number | null;
  /** Where this tree's own standard output and error lead: resolved paths of files made for it, or `socket:[…]`, `pipe:[…]`. */
  readonly outputs?: readonly string[];
  /** A working folder that this tree has for itself (its worktree). */
  readonly workspace?: string | null;
  /**
   * Nothing can have left the tree unseen: it had a cgroup of its own or the tag before its first fork; or nobody asks
   * for a proof. Then a process without positive evidence is a stranger.
   */
  readonly sealed: boolean;
}

/** What an orphan is compared with. */
export interface HomeFacts {
  readonly uid: number | null;
  /** The cgroup that the tree's root was started in. */
  readonly cgroup: string | null;
  /** `pipe:[…]` and `socket:[…]` that members had as standard output or error, and we do not. */
  readonly channels: ReadonlySet<string>;
}

/**
 * What a running process without another run's marker, that was started since the root, has no terminal, was taken over by init or one of our
 * ancestors, and is recorded by no other tree, is to this tree. First match:
 *
 * | evidence                                                        | class    | signalled | proof while it lives  |
 * |-----------------------------------------------------------------|----------|-----------|-----------------------|
 * | has the tree's inherited tag                                    | member   | yes       | survivors             |
 * | its output or error is a file, pipe or socket of this tree      | member   | yes       | survivors             |
 * | another user's                                                  | stranger | no        | observed              |
 * | any other, and the tree is sealed                               | stranger | no        | observed              |
 * | works in the folder that is this tree's alone                   | suspect  | no        | unknown, naming it    |
 * | in the cgroup that the root was started in (Linux, no seal)     | suspect  | no        | unknown, naming it    |
 * | any other                                                       | stranger | no        | observed              |
 *
 * All that is not such an orphan is decided in `membership.ts`: recorded, child of a member, in a session or group that a member
 * leads, in the tree's own cgroup, or with its marker → member; a pid with another start time → stranger, never signalled.
 * Inherited evidence makes a member, since only a descendant can have it; circumstance makes a suspect only: a suspect may be
 * anybody's, so that it is not signalled, and may be ours, so that the end is not called observed.
 */
export function judgeOrphan(
  details: ProcessDetails,
  evidence: TreeEvidence,
  home: HomeFacts,
): 'member' | 'suspect' | 'stranger' {
  if (evidence.tag != null && details.tag === evidence.tag) return 'member';
  if (details.outputs.some((link) => isOwnOutput(link, evidence, home))) return 'member';
  if (details.uid !== null && home.uid !== null && details.uid !== home.uid) return 'stranger';
  if (evidence.sealed) return 'stranger';
  if (evidence.workspace != null && isInside(details.cwd, evidence.workspace)) return 'suspect';
  return details.cgroup !== null && details.cgroup === home.cgroup ? 'suspect' : 'stranger';
}

function isOwnOutput(link: string, evidence: TreeEvidence, home: HomeFacts): boolean {
  if (home.channels.has(link)) return true;
  return evidence.outputs?.includes(link.replace(/ \(deleted\)$/, '')) ?? false;
}

function isInside(path: string | null, folder: string): boolean {
  return path !== null && (path === folder || path.startsWith(folder + sep));
}
