import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { hostProcesses } from '../../kit/process-tree/host-processes.ts';
import { isRunning } from '../../kit/process-tree/process-entry.ts';
import type { RunRow } from '../../protocol/rows.ts';
import type { RunWorktree } from '../../protocol/worktree.ts';
import type { GitFixture } from '../../workspace/worktrees/git-fixture.ts';
import type { Findings } from './findings.ts';
import type { StoredFacts } from './stored-facts.ts';

/** No process of ours is left: none with the marker of a run, and none at work below the folder. Asked when no core is up. */
export async function checkProcesses(git: GitFixture, facts: StoredFacts, findings: Findings): Promise<void> {
  const runs = new Set(facts.runs.map(({ row }) => row.run_id));
  const source = hostProcesses();
  const { entries } = await source.list();
  const running = entries.filter((entry) => isRunning(entry) && entry.pid !== process.pid);
  const details = await source.inspect(running);
  for (const entry of running) {
    const inside = details.get(entry.pid)?.cwd?.startsWith(git.root) === true;
    if (!inside && !runs.has(entry.marker ?? '')) continue;
    const command = details.get(entry.pid)?.commandLine ?? entry.command;
    findings.add('orphan processes', `${entry.pid} ${command} (${entry.marker ?? 'no marker'})`);
  }
}

/** Worktrees, folders and branches on one side, rows on the other. Asked when nothing is at work. */
export function checkWorktrees(git: GitFixture, facts: StoredFacts, findings: Findings): void {
  const there = lookAround(git);
  // Names of what is gone may be another run's by now.
  const inOrder = facts.runs.toSorted((one, other) => Number(isGone(one.row)) - Number(isGone(other.row)));
  for (const { row } of inOrder) {
    if (row.worktree === null) continue;
    checkApplied(git, row, row.worktree, findings);
    checkParts(there, row, row.worktree, findings);
  }
  for (const path of there.entries) findings.add('worktrees without a row', `git lists ${path}`);
  for (const path of there.folders) findings.add('worktrees without a row', `the folder ${path}`);
  for (const branch of there.branches) findings.add('worktrees without a row', `the branch ${branch}`);
  for (const path of there.locked) findings.add('worktrees without a row', `${path} is still locked`);
}

/** What is there of worktrees; what has its row is taken out. */
interface Around {
  readonly folders: Set<string>;
  readonly entries: Set<string>;
  readonly branches: Set<string>;
  readonly locked: readonly string[];
  readonly discarded: string;
}

/** The project has the work exactly when the row says that it was applied. */
function checkApplied(git: GitFixture, row: RunRow, { applied }: RunWorktree, findings: Findings): void {
  const file = /> (w\d+\.txt)/.exec(row.goal)?.[1];
  if (file === undefined || existsSync(join(git.project, file)) === (applied !== null)) return;
  const words = `${describe(row)}: ${file} is called ${applied === null ? 'not ' : ''}applied`;
  findings.add('work applied and not called so, or the other way', words);
}

function checkParts(there: Around, row: RunRow, { path, branch, state }: RunWorktree, findings: Findings): void {
  const wanted = WANTED[state];
  if (wanted === undefined) {
    return findings.add('rows without their worktree', `${row.run_id}: its worktree is called ${state}`);
  }
  const found = {
    folder: there.folders.delete(path),
    entry: there.entries.delete(path),
    branch: there.branches.delete(branch),
  };
  for (const part of ['folder', 'entry', 'branch'] as const) {
    if (found[part] === wanted[part]) continue;
    const figure = found[part] ? 'worktrees without a row' : 'rows without their worktree';
    findings.add(figure, `${describe(row)}: ${part} is ${found[part] ? '' : 'not '}there`);
  }
  if (state === 'discarded' && !there.discarded.includes(row.run_id)) {
    findings.add('rows without their worktree', `${describe(row)}: no ref keeps its work`);
  }
}

const WANTED: Record<string, { folder: boolean; entry: boolean; branch: boolean }> = {
  kept: { folder: true, entry: true, branch: true },
  removed: { folder: false, entry: false, branch: false },
  branch: { folder: false, entry: false, branch: true },
  discarded: { folder: false, entry: false, branch: false },
};

function isGone({ worktree }: RunRow): boolean {
  return worktree?.state === 'removed' || worktree?.state === 'discarded';
}

function describe({ run_id, worktree }: RunRow): string {
  return `${run_id}, worktree ${worktree?.state ?? ''}, ${worktree?.branch ?? ''}`;
}

function lookAround(git: GitFixture): Around {
  const blocks = git.git(['worktree', 'list', '--porcelain']).split('\n\n');
  const pathOf = (block: string): string => /^worktree (.*)$/m.exec(block)?.[1] ?? '';
  const entries = new Set(blocks.map(pathOf));
  entries.delete(git.project);
  return {
    entries,
    locked: blocks.filter((block) => /^locked/m.test(block)).map(pathOf),
    folders: foldersOf(git),
    branches: new Set(git.branches()),
    discarded: git.git(['for-each-ref', '--format=%(refname)', 'refs/espalier/discarded']),
  };
}

function foldersOf(git: GitFixture): Set<string> {
  const root = join(git.data, 'worktrees');
  if (!existsSync(root)) return new Set();
  return new Set(
    readdirSync(root).flatMap((name) => readdirSync(join(root, name)).map((slug) => join(root, name, slug))),
  );
}
