import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunRow } from '../../protocol/rows.ts';
import { CoreLab } from '../../testing/core-lab.ts';
import { SlowGit } from '../../testing/slow-git.ts';

const WORK = 'echo work > work.txt';

/** Kills a core that holds at a call of git while it does something with a worktree; the call is lost with it, or goes on without it. */
async function killAt(lab: CoreLab, change: 'apply' | 'keep' | 'discard', at: string, then: string): Promise<RunRow> {
  const git = new SlowGit(lab, at);
  const elsewhere = await lab.dispatchElsewhere([WORK], git.environment, change);
  await git.reached();
  await elsewhere.kill();
  if (then === 'goes on') await git.release();
  else await git.drop();
  await lab.host();
  await lab.project();
  return lab.row(elsewhere.answer.run_ids[0] ?? '');
}

const showsWork = (lab: CoreLab, commit: string): string => lab.git.git(['show', `${commit}:work.txt`]);
const isDone = { state: 'ended', outcome: 'completed' };

describe.each(['goes on', 'is lost'])(
  'D3, W4: a core is killed while it changes a worktree, and the call of git %s',
  (then) => {
    test('keep, at the removal → kept as a branch, and the row says so', async () => {
      await using lab = new CoreLab();
      const row = await killAt(lab, 'keep', 'worktree remove', then);
      expect(row).toMatchObject({ ...isDone, worktree: { state: 'branch', dirty: false } });
      expect(existsSync(row.worktree?.path ?? '')).toBe(false);
      expect(showsWork(lab, row.worktree?.branch ?? '')).toBe('work');
      expect(lab.git.git(['worktree', 'list', '--porcelain'])).not.toContain(row.worktree?.path);
    });

    test.each(['worktree remove', 'update-ref -d refs/heads/espalier'])(
      'discard, at %s → discarded, a ref keeps it',
      async (at) => {
        await using lab = new CoreLab();
        const row = await killAt(lab, 'discard', at, then);
        expect(row).toMatchObject({ ...isDone, worktree: { state: 'discarded' } });
        expect(existsSync(row.worktree?.path ?? '')).toBe(false);
        expect(lab.git.branches()).toEqual([]);
        expect(showsWork(lab, `refs/espalier/discarded/${row.run_id}`)).toBe('work');
      },
    );

    test.each(['read-tree -m -u', 'update-ref -m espalier: apply'])(
      'apply, at %s → applied whole, and the row says so',
      async (at) => {
        await using lab = new CoreLab();
        const row = await killAt(lab, 'apply', at, then);
        expect(row).toMatchObject({ ...isDone, worktree: { state: 'kept', applied: 'squash' } });
        expect(showsWork(lab, 'HEAD')).toBe('work');
        expect(lab.read(join(lab.git.project, 'work.txt'))).toBe('work\n');
        expect(lab.git.git(['status', '--porcelain'])).toBe('');
        expect(lab.git.git(['rev-list', '--count', 'HEAD'])).toBe('2');
      },
    );
  },
);

test('W4: killed before anything was kept or moved → the worktree is as it was', async () => {
  await using lab = new CoreLab();
  const row = await killAt(lab, 'discard', 'commit-tree', 'is lost');
  expect(row).toMatchObject({ ...isDone, worktree: { state: 'kept' } });
  expect(lab.read(join(row.worktree?.path ?? '', 'work.txt'))).toBe('work\n');
});

test('W4: nothing of the project lives any more when the core is killed in a change → the next one brings it to its end', async () => {
  await using lab = await CoreLab.open();
  const { run_id } = await lab.run(WORK);
  await lab.leave();
  // This start finds nothing alive, so that the next one would not look into the project again.
  await lab.host();
  await lab.leave();
  const git = new SlowGit(lab, 'worktree remove');
  const elsewhere = await lab.changeElsewhere(run_id, 'keep', git.environment);
  await git.reached();
  await elsewhere.kill();
  await git.drop();
  await lab.host();
  const row = await lab.row(run_id);
  expect(row).toMatchObject({ worktree: { state: 'branch' } });
  expect(existsSync(row.worktree?.path ?? '')).toBe(false);
});

test('W1: the name of a worktree is not given again when nothing of it is left: a core that was killed may still have to finish by that name', async () => {
  await using lab = await CoreLab.open();
  const task = { goal: 'true', agent: 'command', isolation: 'worktree' } as const;
  const ids = [];
  for (let n = 0; n < 2; n += 1) ids.push((await lab.run(task, { title: 'Twice' })).run_id);
  const [first, second] = await Promise.all(ids.map((id) => lab.row(id)));
  expect(first?.worktree).toMatchObject({ state: 'removed', branch: 'espalier/twice/true' });
  expect(second?.worktree).toMatchObject({ state: 'removed' });
  expect(second?.worktree?.branch).toMatch(/^espalier\/twice\/true-[0-9a-f]{4}$/);
});
