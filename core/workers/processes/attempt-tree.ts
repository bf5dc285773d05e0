import { realpath } from 'node:fs/promises';
import { hasTag, tagFor, tagProcess } from '../../kit/process-tree/linux-tag.ts';
import type { ProcessIdentity } from '../../kit/process-tree/process-entry.ts';
import type { ProcessScanner } from '../../kit/process-tree/process-scanner.ts';
import { openTreeCgroup } from '../../kit/process-tree/tree-cgroup.ts';
import type { TreeCgroup } from '../../kit/process-tree/tree-cgroup.ts';
import { trackTree } from '../../kit/process-tree/tree-tracker.ts';
import type { TreeTracker } from '../../kit/process-tree/tree-tracker.ts';

/** What the supervision of one attempt is told. */
export interface AttemptProcesses {
  readonly scanner: ProcessScanner;
  /** The worker. */
  readonly root: ProcessIdentity;
  readonly runId: string;
  /** Unique per attempt; names its cgroup. `[A-Za-z0-9_-]`. */
  readonly attemptKey: string;
  /** The files that the worker got as standard output and error. */
  readonly outputPaths: readonly string[];
  /** The worktree that is this run's alone; null when it works in a folder that others use too. */
  readonly worktree: string | null;
  /** False forbids a cgroup of its own. */
  readonly useCgroup?: boolean;
}

/** The processes of one attempt. */
export interface AttemptTree {
  readonly tracker: TreeTracker;
  /** True when nothing can leave the tree unseen: own cgroup, or inherited tag. */
  readonly sealed: boolean;
  /** Ends the recording and removes the cgroup. After the end was proved or given up. */
  close(): Promise<void>;
}

/**
 * Takes a worker under supervision that has just been started and has not started anything itself (it waits for its task): puts it into a
 * cgroup of its own where one is writable, or else tags it, before its first fork. Call it, and wait, before the task is handed over.
 */
export async function superviseAttempt(attempt: AttemptProcesses): Promise<AttemptTree> {
  const cgroup = await enterCgroup(attempt);
  // Both would prove the same; the tag costs a program start.
  const tagged = cgroup === null && (await tagProcess(attempt.root, attempt.runId));
  return attemptTree(attempt, { cgroup, tagged, leads: true });
}

/** Takes over the worker of an earlier core (D5): finds its cgroup and tag again. */
export async function readoptAttempt(attempt: AttemptProcesses): Promise<AttemptTree> {
  const [cgroup, tagged] = await Promise.all([findCgroup(attempt), hasTag(attempt.root.pid, tagFor(attempt.runId))]);
  return attemptTree(attempt, { cgroup, tagged, leads: false });
}

async function attemptTree(
  attempt: AttemptProcesses,
  found: { cgroup: TreeCgroup | null; tagged: boolean; leads: boolean },
): Promise<AttemptTree> {
  const resolved = await Promise.all(attempt.outputPaths.map((path) => realpath(path).catch(() => path)));
  const worktree = attempt.worktree === null ? null : await realpath(attempt.worktree).catch(() => attempt.worktree);
  const sealed = found.tagged || found.cgroup !== null;
  const tracker = trackTree({
    scanner: attempt.scanner,
    root: attempt.root,
    marker: attempt.runId,
    leads: found.leads,
    evidence: { tag: tagFor(attempt.runId), outputs: resolved, workspace: worktree, sealed },
    cgroup: found.cgroup,
  });
  return {
    tracker,
    sealed,
    async close() {
      tracker.close();
      await found.cgroup?.remove();
    },
  };
}

function cgroupName(attempt: AttemptProcesses): string {
  return `espalier-${attempt.attemptKey}`;
}

async function enterCgroup(attempt: AttemptProcesses): Promise<TreeCgroup | null> {
  if (attempt.useCgroup === false) return null;
  const cgroup = await openTreeCgroup(cgroupName(attempt));
  if (cgroup === null || (await cgroup.add(attempt.root.pid))) return cgroup;
  await cgroup.remove();
  return null;
}

/** A cgroup of that name which holds the worker; an empty one says nothing about where the worker was. */
async function findCgroup(attempt: AttemptProcesses): Promise<TreeCgroup | null> {
  if (attempt.useCgroup === false) return null;
  const cgroup = await openTreeCgroup(cgroupName(attempt));
  if (cgroup === null) return null;
  if ((await cgroup.pids()).length > 0) return cgroup;
  await cgroup.remove();
  return null;
}
