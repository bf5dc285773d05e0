import { isRunning } from './process-entry.ts';
import type { ProcessEntry, ProcessIdentity } from './process-entry.ts';
import type { ProcessTable } from './process-table.ts';

/** What is known of one tree between snapshots; {@link findMembers} brings it up to date. */
export interface TreeKnowledge {
  readonly root: ProcessIdentity;
  /**
   * Start of the root on the table's clock, known even if the root was gone before it was ever listed (after a restart of the core); null
   * where the platform cannot tell, until it is seen. Nothing older can be a descendant.
   */
  rootStartedAt: number | null;
  /** Value of the marker variable; null when the marker does not tell this tree from others. */
  readonly marker: string | null;
  /** The root, and every process of the last snapshot that belonged: a listing is complete, so what is missing there has ended. */
  readonly known: Map<number, ProcessIdentity>;
  /** Sessions and groups that a member leads or led, as long as they have not been empty (then the number may be re-used). */
  readonly sessions: Set<number>;
  readonly groups: Set<number>;
}

/**
 * Knowledge at the start. `leads`: the root has just been started by us as the leader of its own session, so that the session is
 * ours even if the root ends before it is ever seen.
 */
export function newKnowledge(
  root: ProcessIdentity,
  marker: string | null,
  leads: boolean,
  rootStartedAt: number | null = null,
): TreeKnowledge {
  return {
    root,
    rootStartedAt,
    marker,
    known: new Map([[root.pid, root]]),
    sessions: new Set(leads ? [root.pid] : []),
    groups: new Set(leads ? [root.pid] : []),
  };
}

/** True for a process that was recorded as part of the tree. */
export function isKnown(tree: TreeKnowledge, identity: ProcessIdentity): boolean {
  return tree.known.get(identity.pid)?.startTime === identity.startTime;
}

/** Ourselves, our ancestors and init: never part of a tree, whatever they carry. */
function protectedPids(table: ProcessTable, ownPid: number): Set<number> {
  const pids = new Set([0, 1]);
  for (let pid = ownPid; pid > 1 && !pids.has(pid); pid = table.byPid.get(pid)?.ppid ?? 0) pids.add(pid);
  return pids;
}

/**
 * The processes of the snapshot that belong to the tree, zombies among them; updates `tree`. A process belongs if it was
 * recorded before, if its parent belongs, if its session or group was led by a member, if it has the marker, or if `extra`
 * names it (a cgroup of its own, evidence found otherwise).
 */
export function findMembers(
  table: ProcessTable,
  tree: TreeKnowledge,
  ownPid: number,
  extra: Iterable<number> = [],
): ProcessEntry[] {
  const root = table.byPid.get(tree.root.pid);
  if (root?.startTime === tree.root.startTime) tree.rootStartedAt = root.startedAt;
  dropReused(tree.sessions, table.bySession, table, tree);
  dropReused(tree.groups, table.byGroup, table, tree);

  const guarded = protectedPids(table, ownPid);
  const members = new Map<number, ProcessEntry>();
  const queue: ProcessEntry[] = [];
  const add = (entry: ProcessEntry): void => {
    if (members.has(entry.pid) || guarded.has(entry.pid)) return;
    if (!isKnown(tree, entry) && isOlder(entry, tree.rootStartedAt)) return;
    members.set(entry.pid, entry);
    queue.push(entry);
  };

  for (const entry of startingPoints(table, tree, extra)) add(entry);
  for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) follow(entry, table, tree, add);
  for (const pid of tree.known.keys()) if (!members.has(pid) && pid !== tree.root.pid) tree.known.delete(pid);
  return [...members.values()];
}

/** Members that are found without their parents. */
function* startingPoints(
  table: ProcessTable,
  tree: TreeKnowledge,
  extra: Iterable<number>,
): Generator<ProcessEntry, void> {
  for (const pid of tree.known.keys()) {
    const entry = table.byPid.get(pid);
    if (entry !== undefined && isKnown(tree, entry)) yield entry;
  }
  for (const pid of extra) {
    const entry = table.byPid.get(pid);
    if (entry !== undefined) yield entry;
  }
  if (tree.marker !== null) yield* table.byMarker.get(tree.marker) ?? [];
  for (const id of [...tree.sessions]) yield* table.bySession.get(id) ?? [];
  for (const id of [...tree.groups]) yield* table.byGroup.get(id) ?? [];
}

/** Records a member and adds what it brings along. */
function follow(
  member: ProcessEntry,
  table: ProcessTable,
  tree: TreeKnowledge,
  add: (entry: ProcessEntry) => void,
): void {
  const { pid, startTime, startedAt } = member;
  tree.known.set(pid, { pid, startTime });
  // A "child" older than its parent got a re-used parent pid (Windows keeps the number of a dead parent).
  for (const child of table.byParent.get(pid) ?? []) if (child.startedAt >= startedAt) add(child);
  if (member.session === pid) {
    tree.sessions.add(pid);
    table.bySession.get(pid)?.forEach(add);
  }
  if (member.pgid === pid) {
    tree.groups.add(pid);
    table.byGroup.get(pid)?.forEach(add);
  }
}

function isOlder(entry: ProcessEntry, startedAt: number | null): boolean {
  return startedAt !== null && entry.startedAt < startedAt;
}

/** Forgets ids that nobody holds any more or that a stranger leads now. */
function dropReused(
  ids: Set<number>,
  held: ReadonlyMap<number, unknown>,
  table: ProcessTable,
  tree: TreeKnowledge,
): void {
  for (const id of ids) {
    const leader = table.byPid.get(id);
    if (!held.has(id) || (leader !== undefined && !isKnown(tree, leader))) ids.delete(id);
  }
}

/**
 * Processes that might have left the tree before they were ever seen: running, no terminal, not accounted for by a marker, started since the
 * root, and taken over by init or by an ancestor of ours (a reaper).
 */
export function findOrphans(table: ProcessTable, tree: TreeKnowledge, ownPid: number): ProcessEntry[] {
  const reapers = protectedPids(table, ownPid);
  const isCandidate = (entry: ProcessEntry): boolean =>
    isRunning(entry) &&
    !entry.terminal &&
    !reapers.has(entry.pid) &&
    !isKnown(tree, entry) &&
    !isOlder(entry, tree.rootStartedAt);
  // pid 0 adopts nobody, and our own direct children were started by us for something else.
  const adopters = [...reapers].filter((pid) => pid !== 0 && pid !== ownPid);
  const orphans = adopters.flatMap((pid) => table.byParent.get(pid) ?? []);
  // Another run's marker accounts for a process; where the marker does not tell trees apart, it says nothing.
  const isOpen = (entry: ProcessEntry): boolean => entry.marker === null || tree.marker === null;
  return orphans.filter((entry) => isOpen(entry) && isCandidate(entry));
}
