import type { CancelTimer } from '../clock.ts';
import { findMembers, findOrphans, isKnown, newKnowledge } from './membership.ts';
import type { TreeKnowledge } from './membership.ts';
import { judgeOrphan } from './orphan-evidence.ts';
import type { HomeFacts, TreeEvidence } from './orphan-evidence.ts';
import { isRunning } from './process-entry.ts';
import type { ProcessDetails, ProcessEntry, ProcessIdentity, ProcessRef } from './process-entry.ts';
import type { ProcessScanner, ScanListener } from './process-scanner.ts';
import type { ProcessTable } from './process-table.ts';
import type { TreeCgroup } from './tree-cgroup.ts';

/** A process of a tree. */
export interface TreeProcess extends ProcessEntry, ProcessRef {}

/** The state of a tree at one listing. */
export interface TreeView {
  /** Members that run (no zombies). */
  readonly living: readonly TreeProcess[];
  /** Processes that may have left the tree unseen; never signalled. */
  readonly suspects: readonly ProcessRef[];
  /** False when pids ended while the machine was listed, so that what they forked last may be missing. */
  readonly settled: boolean;
}

/** What {@link trackTree} is told. */
export interface TrackOptions {
  readonly scanner: ProcessScanner;
  readonly root: ProcessIdentity;
  /** The run id that the environment marker holds; null when the marker does not tell this tree from others (a single tool call). */
  readonly marker: string | null;
  /** The root has just been started by us as a session leader; false for one that is taken over after a restart. */
  readonly leads: boolean;
  readonly evidence?: TreeEvidence;
  /** A cgroup that the root is in. */
  readonly cgroup?: TreeCgroup | null;
}

/** Records the descendants of a root while it runs, so that a daemon that was seen once stays known. */
export function trackTree(options: TrackOptions): TreeTracker {
  return new TreeTracker(options);
}

/** See {@link trackTree}. */
export class TreeTracker implements ScanListener {
  readonly root: ProcessIdentity;
  readonly cgroup: TreeCgroup | null;
  readonly scanner: ProcessScanner;
  readonly #tree: TreeKnowledge;
  readonly #evidence: TreeEvidence;
  readonly #details = new Map<number, { startTime: string; command: string; commandLine: string | null }>();
  readonly #channels = new Set<string>();
  readonly #unwatch: CancelTimer;
  #home: HomeFacts | null = null;
  #ownOutputs: readonly string[] = [];
  #order = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #hidden = false;
  #living: readonly TreeProcess[] = [];

  constructor(options: TrackOptions) {
    this.root = options.root;
    this.scanner = options.scanner;
    this.cgroup = options.cgroup ?? null;
    const { root, marker, leads, scanner } = options;
    this.#tree = newKnowledge(root, marker, leads, scanner.source.startedAt(root));
    this.#evidence = options.evidence ?? { sealed: false };
    this.#unwatch = options.scanner.watch(this);
  }

  /** What the last listing showed; for display. */
  get living(): readonly TreeProcess[] {
    return this.#living;
  }

  /** Ends the recording; what is known stays and can still be stopped. */
  close(): void {
    this.#unwatch();
  }

  /** True for a recorded process of this tree. */
  owns(identity: ProcessIdentity): boolean {
    return isKnown(this.#tree, identity);
  }

  /** Recorded processes that still run; much cheaper than {@link refresh}, and blind to new ones. */
  stillLiving(): Promise<ProcessIdentity[]> {
    return this.scanner.source.living([...this.#tree.known.values()]);
  }

  /** Groups that are the tree's own, each with a running member to check; signalled whole, they reach a fork in flight. */
  ledGroups(living: readonly ProcessEntry[]): { pgid: number; anchor: ProcessIdentity }[] {
    const groups = new Map<number, ProcessIdentity>();
    for (const entry of living) if (this.#tree.groups.has(entry.pgid)) groups.set(entry.pgid, entry);
    return [...groups].map(([pgid, anchor]) => ({ pgid, anchor }));
  }

  /** A new listing, with a search for what left the tree unseen. Rejects when the platform's means fail. */
  async refresh(): Promise<TreeView> {
    const table = await this.scanner.fresh();
    await this.#absorb(table);
    const { found, suspects } = await this.#judgeOrphans(table);
    if (found.length > 0) await this.#absorb(table, found);
    return { living: this.#living, suspects, settled: table.vanished === 0 && !this.#hidden };
  }

  /** Takes a listing in; true when the tree has changed. */
  onTable(table: ProcessTable): Promise<boolean> {
    return this.#absorb(table);
  }

  /** One listing after the other: taken in side by side, the older one would answer with what neither has told yet. */
  #absorb(table: ProcessTable, found: readonly number[] = []): Promise<boolean> {
    const taken = this.#turn.then(() => this.#takeIn(table, found));
    this.#turn = taken.catch(() => undefined);
    return taken;
  }

  async #takeIn(table: ProcessTable, found: readonly number[]): Promise<boolean> {
    const inCgroup = (await this.cgroup?.pids()) ?? [];
    // A listing that waited longer than a newer one would forget what the newer one showed.
    if (table.order < this.#order) return false;
    this.#order = table.order;
    const before = new Set(this.#tree.known.keys());
    const members = findMembers(table, this.#tree, this.scanner.source.ownPid, [...inCgroup, ...found]);
    const running = members.filter(isRunning);
    const news = running.filter((entry) => this.#details.get(entry.pid)?.startTime !== entry.startTime);
    // A newcomer that is a zombie already may have forked after the pids were listed.
    this.#hidden = members.some((entry) => !isRunning(entry) && !before.has(entry.pid));
    await this.#learn(running.filter((entry) => this.#isUnread(entry)));
    this.#living = running.map((entry) => ({
      ...entry,
      commandLine: this.#commandLine(entry),
      command: this.#commandLine(entry),
    }));
    for (const pid of this.#details.keys()) if (!this.#tree.known.has(pid)) this.#details.delete(pid);
    return news.length > 0;
  }

  #isUnread(entry: ProcessEntry): boolean {
    const read = this.#details.get(entry.pid);
    // A process seen between its fork and its exec had its parent's name; one in the middle of its exec has no command line.
    return read?.startTime !== entry.startTime || read.command !== entry.command || read.commandLine === null;
  }

  #commandLine(entry: ProcessEntry): string {
    return entry.commandLine ?? this.#details.get(entry.pid)?.commandLine ?? entry.command;
  }

  /** Reads what a listing does not bring: command lines for people, outputs for {@link judgeOrphan}. */
  async #learn(entries: readonly ProcessEntry[]): Promise<void> {
    const { source } = this.scanner;
    const unread = entries.filter((entry) => entry.commandLine === undefined);
    const details = unread.length > 0 ? await source.inspect(unread) : new Map<number, ProcessDetails>();
    if (unread.length > 0) await this.#learnHome();
    for (const { pid, startTime, command } of entries) {
      const more = details.get(pid);
      this.#details.set(pid, { startTime, command, commandLine: more?.commandLine ?? null });
      if (more === undefined) continue;
      this.#learnChannels(more.outputs);
      if (pid === this.root.pid && this.#home !== null) this.#home = { ...this.#home, cgroup: more.cgroup };
    }
  }

  #learnChannels(outputs: readonly string[]): void {
    for (const link of outputs) {
      if (/^(pipe|socket):/.test(link) && !this.#ownOutputs.includes(link)) this.#channels.add(link);
    }
  }

  async #learnHome(): Promise<HomeFacts> {
    if (this.#home !== null) return this.#home;
    const { source } = this.scanner;
    const self = await source.identify(source.ownPid);
    const own = self === null ? undefined : (await source.inspect([self])).get(self.pid);
    this.#ownOutputs = own?.outputs ?? [];
    this.#home = { uid: own?.uid ?? null, cgroup: own?.cgroup ?? null, channels: this.#channels };
    return this.#home;
  }

  async #judgeOrphans(table: ProcessTable): Promise<{ found: number[]; suspects: ProcessRef[] }> {
    const { source } = this.scanner;
    const orphans = findOrphans(table, this.#tree, source.ownPid);
    const unclaimed = orphans.filter((entry) => !this.scanner.isOwnedByOther(entry, this));
    if (unclaimed.length === 0) return { found: [], suspects: [] };
    const home = await this.#learnHome();
    const details = await source.inspect(unclaimed);
    const found: number[] = [];
    const suspects: ProcessRef[] = [];
    for (const [pid, each] of details) {
      const verdict = judgeOrphan(each, this.#evidence, home);
      if (verdict === 'member') found.push(pid);
      if (verdict === 'suspect')
        suspects.push({ pid, command: each.commandLine ?? table.byPid.get(pid)?.command ?? '' });
    }
    return { found, suspects };
  }
}
