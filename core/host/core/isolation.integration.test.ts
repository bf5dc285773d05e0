import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startScriptedModel } from '../../scripted-model/scripted-model.ts';
import { CoreLab, value } from '../../testing/core-lab.ts';
import { until } from '../../testing/process-trees.ts';
import { GitFixture } from '../../workspace/worktrees/git-fixture.ts';

const AS_AGENT = 'git -c user.name=Agent -c user.email=agent@example.com';
const COMMIT = `echo more >> a.txt && ${AS_AGENT} commit -qam work`;

/** Folders of worktrees that are there. */
function folders(lab: CoreLab): string[] {
  const root = join(lab.git.data, 'worktrees');
  if (!existsSync(root)) return [];
  return readdirSync(root).flatMap((one) => readdirSync(join(root, one)).map((two) => join(root, one, two)));
}

describe('case 45: what is left of a worktree at the end of its run (W3)', () => {
  test('case 45: clean and without a commit → removed with its branch', async () => {
    await using lab = await CoreLab.open();
    const result = await lab.run('pwd && test -f a.txt');
    expect(result).toMatchObject({ status: 'completed', worktree: { commits: 0, dirty: false, kept: false } });
    expect(result.summary).toContain(join(lab.git.data, 'worktrees'));
    expect(folders(lab)).toEqual([]);
    expect(lab.git.branches()).toEqual([]);
    expect(await lab.row(result.run_id)).toMatchObject({ worktree: { state: 'removed', commits: 0, dirty: false } });
  });

  test('case 45: only an untracked file, with status.showUntrackedFiles=no → kept, dirty', async () => {
    await using lab = await CoreLab.open();
    lab.git.git(['config', 'status.showUntrackedFiles', 'no']);
    const result = await lab.run('echo new > new.txt');
    expect(result).toMatchObject({ status: 'completed', worktree: { commits: 0, dirty: true, kept: true } });
    expect(lab.read(join(result.worktree?.path ?? '', 'new.txt'))).toBe('new\n');
    expect(existsSync(join(lab.git.project, 'new.txt'))).toBe(false);
  });

  test('case 45: one commit → kept, commits 1; the row has what the result has', async () => {
    await using lab = await CoreLab.open();
    const result = await lab.run({ goal: COMMIT, label: 'Mend it' });
    expect(result.worktree).toMatchObject({ commits: 1, dirty: false, kept: true });
    expect(result.worktree?.branch).toMatch(/^espalier\/[a-z0-9-]+\/mend-it$/);
    const { worktree } = await lab.row(result.run_id);
    expect(worktree).toEqual({
      branch: result.worktree?.branch,
      path: result.worktree?.path,
      state: 'kept',
      commits: 1,
      dirty: false,
      applied: null,
    });
  });

  test('W3: what could not be measured is kept and flagged', async () => {
    await using lab = await CoreLab.open();
    const result = await lab.run('rm .git && git init -q .');
    expect(result).toMatchObject({ status: 'completed', worktree: { kept: true, commits: null, dirty: null } });
    expect(result.worktree?.inspection_failed).toMatchObject({ probe: 'owner' });
  });

  test('W3: a failed run and one that was stopped are measured like any other', async () => {
    await using lab = await CoreLab.open();
    const failed = await lab.run('echo half > half.txt; exit 3');
    expect(failed).toMatchObject({ status: 'failed', failure_reason: 'exit_status', worktree: { dirty: true } });
    const answer = await lab.dispatch(['echo half > half.txt; sleep 60']);
    const [run_id = ''] = answer.run_ids;
    const { worktree } = await lab.rowWhen(run_id, 'the worktree', (row) => row.worktree !== null);
    await until('its file', () => existsSync(join(worktree?.path ?? '', 'half.txt')));
    await lab.stop(run_id);
    expect(await lab.result(answer)).toMatchObject({ status: 'stopped', worktree: { dirty: true, kept: true } });
  });
});

describe('case 46: isolation that cannot be had (W2)', () => {
  const noCommits = (): GitFixture => {
    const git = new GitFixture();
    git.git(['init', '--quiet']);
    return git;
  };
  const bare = (): GitFixture => {
    const git = new GitFixture();
    git.git(['init', '--quiet', '--bare']);
    return git;
  };
  test.each<[string, () => GitFixture, RegExp]>([
    ['no commits', noCommits, /no commits yet/],
    ['bare', bare, /bare repository/],
    ['not a repository', () => new GitFixture(), /not in a git repository/],
  ])('case 46: %s → refused before anything exists, and the way out is named (S1)', async (_, make, message) => {
    await using lab = await CoreLab.open(make());
    const project_id = await lab.project();
    const batch = { tasks: [{ goal: 'touch started', agent: 'command', isolation: 'worktree' }] };
    const { problems } = value(await lab.service.batches.validate({ project_id, batch }, { client: 'test' }));
    expect(problems).toEqual([expect.objectContaining({ task_index: 0, field: 'isolation' })]);
    expect(problems[0]?.message).toMatch(message);
    expect(problems[0]?.fix).toMatch(/isolation": "none/);
    const refused = await lab.service.batches.dispatch(
      { project_id, conversation_id: null, batch, client_token: 'token-46' },
      { client: 'test' },
    );
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_batch' } });
    expect(existsSync(join(lab.git.project, 'started'))).toBe(false);
  });

  test('case 46: the repository goes between dispatch and start → failed isolation, nothing was started', async () => {
    await using lab = await CoreLab.open();
    const { runs } = lab.service;
    value(await runs.pause({ id: null }, { client: 'test' }));
    const answer = await lab.dispatch(['touch started']);
    rmSync(join(lab.git.project, '.git'), { recursive: true });
    value(await runs.resume({ id: null }, { client: 'test' }));
    const result = await lab.result(answer);
    const message = /not in a git repository/;
    expect(result).toMatchObject({ status: 'failed', exit_reason: 'not_started', failure_reason: 'isolation' });
    expect(result.worktree).toBeNull();
    expect(result.error).toMatch(message);
    expect(result.error).toMatch(/isolation none/);
    expect(existsSync(join(lab.git.project, 'started'))).toBe(false);
    expect(await lab.row(result.run_id)).toMatchObject({ worktree: null, proof: { method: 'not_started' } });
  });

  test('case 46: git missing → refused before any model request', async () => {
    await using lab = new CoreLab();
    const model = await startScriptedModel({ script: { conversations: [{ turns: ['Done.'] }] } });
    lab.settings({
      providers: { scripted: { kind: 'anthropic', baseUrl: `${model.url}/v1`, models: { m: {} } } },
      defaultModel: 'scripted/m',
    });
    await lab.host({ environment: { HOME: lab.git.root, PATH: join(lab.git.root, 'nothing') } });
    await expect(lab.run({ goal: 'Look around and say what there is', agent: 'general' })).rejects.toThrow(
      /Git was not found/,
    );
    expect(model.requests).toHaveLength(0);
    await model.close();
  });
});

test('case 47: equal tasks at once each get a worktree and branch, again others, and the main checkout stays as it was (W1)', async () => {
  await using lab = await CoreLab.open();
  const before = lab.git.fingerprint();
  const goal = 'echo mine > mine.txt';
  const first = await lab.ended(await lab.dispatch(Array.from({ length: 20 }, () => goal)), 60_000);
  const kept = first.results.map(({ worktree }) => worktree?.path ?? '');
  expect(new Set(kept).size).toBe(20);
  const files = kept.map((path) => lab.read(join(path, 'mine.txt')));
  expect(files).toEqual(kept.map(() => 'mine\n'));
  const second = await lab.ended(await lab.dispatch(Array.from({ length: 20 }, () => goal)), 60_000);
  const all = [...first.results, ...second.results].map(({ worktree }) => worktree?.branch);
  expect(new Set(all).size).toBe(40);
  expect(lab.git.branches()).toHaveLength(40);
  expect(kept.every((path) => existsSync(path))).toBe(true);
  expect(lab.git.fingerprint()).toBe(before);
}, 120_000);

describe('case 33: a stop while the worktree is made', () => {
  test('case 33: stopped, nothing is left and nothing starts later (C3)', async () => {
    await using lab = await CoreLab.open();
    for (let n = 0; n < 200; n += 1) lab.git.write(`many/${n}.txt`, `${n}\n`.repeat(200));
    lab.git.commit('many');
    const answer = await lab.dispatch(['touch started']);
    const [run_id = ''] = answer.run_ids;
    await lab.rowWhen(
      run_id,
      'its start',
      ({ activity, state }) => activity === 'Creating a worktree' || state === 'ended',
    );
    await lab.stop(run_id);
    const result = await lab.result(answer);
    expect(result).toMatchObject({ status: 'stopped', exit_reason: 'stopped', turns: 0 });
    expect(result.worktree?.kept ?? false).toBe(false);
    expect(folders(lab)).toEqual([]);
    expect(lab.git.branches()).toEqual([]);
    expect(lab.git.git(['worktree', 'list', '--porcelain']).match(/^worktree /gm)).toHaveLength(1);
  });
});

test('W1: the worktree is locked for its run while it lives, and not after', async () => {
  await using lab = await CoreLab.open();
  const answer = await lab.dispatch(['touch busy; while [ ! -f go ]; do sleep 0.05; done; rm go']);
  const [run_id = ''] = answer.run_ids;
  const { worktree } = await lab.rowWhen(run_id, 'its worktree', (row) => row.worktree !== null);
  const path = worktree?.path ?? '';
  expect(worktree).toMatchObject({ state: 'at_work', commits: null, dirty: null });
  await until('its work', () => existsSync(join(path, 'busy')));
  expect(lab.git.git(['worktree', 'list', '--porcelain'])).toContain(`locked espalier ${run_id}`);
  writeFileSync(join(path, 'go'), '');
  expect(await lab.result(answer)).toMatchObject({ worktree: { kept: true, dirty: true } });
  expect(lab.git.git(['worktree', 'list', '--porcelain'])).not.toContain('locked');
});

test('W1: an automatic retry gets a worktree of its own', async () => {
  await using lab = await CoreLab.open();
  const answer = await lab.dispatch([{ goal: 'ls; echo x > left.txt; exit 1', retry: 1 }]);
  const result = await lab.result(answer);
  const first = await lab.row(answer.run_ids[0] ?? '');
  expect(result.retry_of).toBe(first.run_id);
  expect(result.summary).not.toContain('left.txt');
  expect(first.worktree?.path).not.toBe(result.worktree?.path);
  expect(folders(lab)).toHaveLength(2);
});

test('W1: base_ref says what the worktree begins with; an unknown one fails and says so (W2)', async () => {
  await using lab = await CoreLab.open();
  const first = lab.git.git(['rev-parse', 'HEAD']);
  lab.git.write('later.txt', 'later\n');
  lab.git.commit('later');
  const result = await lab.run({ goal: 'test ! -f later.txt', base_ref: 'HEAD~1' });
  expect(result).toMatchObject({ status: 'completed', worktree: { base_commit: first } });
  const unknown = await lab.run({ goal: 'true', base_ref: 'nowhere' });
  expect(unknown).toMatchObject({ failure_reason: 'isolation' });
  expect(unknown.error).toContain('There is no commit "nowhere"');
});

describe('W4: what becomes of a kept worktree', () => {
  test('the diff has commits and untracked files; apply brings both into the project', async () => {
    await using lab = await CoreLab.open();
    const { run_id } = await lab.run(`${COMMIT} && echo new > new.txt`);
    const shown = value(await lab.changes.show({ run_id }));
    expect(shown).toMatchObject({ source: 'worktree', cut: false, worktree: { state: 'kept' } });
    expect(shown.files.map(({ path, status }) => `${status} ${path}`)).toEqual(['modified a.txt', 'added new.txt']);
    expect(shown.patch).toContain('+more');
    const { from, to } = value(await lab.changes.apply({ run_id, mode: 'squash' }));
    expect(lab.git.git(['rev-list', '--count', `${from}..${to}`])).toBe('1');
    expect(lab.read(join(lab.git.project, 'new.txt'))).toBe('new\n');
    expect(await lab.row(run_id)).toMatchObject({ worktree: { state: 'kept', applied: 'squash' } });
  });

  test('case 48: a conflict is shown with its files, and the main checkout is unchanged', async () => {
    await using lab = await CoreLab.open();
    const { run_id } = await lab.run(`echo theirs > a.txt && ${AS_AGENT} commit -qam theirs`);
    lab.git.write('a.txt', 'ours\n');
    lab.git.commit('ours');
    const before = lab.git.fingerprint();
    const applied = await lab.changes.apply({ run_id, mode: 'merge' });
    expect(applied).toMatchObject({ ok: false, error: { code: 'conflict', paths: ['a.txt'] } });
    expect(lab.git.fingerprint()).toBe(before);
    expect(await lab.row(run_id)).toMatchObject({ worktree: { state: 'kept', applied: null } });
  });

  test('keep as branch: the folder goes, the branch has everything; a second time is refused', async () => {
    await using lab = await CoreLab.open();
    const result = await lab.run('echo new > new.txt');
    const { run_id } = result;
    const kept = value(await lab.changes.keep({ run_id }));
    expect(lab.git.git(['show', `${kept.branch}:new.txt`])).toBe('new');
    expect(existsSync(result.worktree?.path ?? '')).toBe(false);
    expect(await lab.row(run_id)).toMatchObject({ worktree: { state: 'branch' } });
    const again = await lab.changes.keep({ run_id });
    expect(again).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
    expect(value(await lab.changes.show({ run_id })).files.map(({ path }) => path)).toEqual(['new.txt']);
  });

  test('discard: everything goes, a ref keeps it; what no ref can keep is named first', async () => {
    await using lab = await CoreLab.open();
    const { run_id, worktree } = await lab.run('git init -q inner && echo x > inner/x.txt && echo new > new.txt');
    const refused = await lab.changes.discard({ run_id, accept_loss: false });
    expect(refused).toMatchObject({ ok: false, error: { code: 'would_lose', paths: ['inner/'] } });
    expect(existsSync(worktree?.path ?? '')).toBe(true);
    const { ref, commit } = value(await lab.changes.discard({ run_id, accept_loss: true }));
    expect(lab.git.git(['rev-parse', ref])).toBe(commit);
    expect(lab.git.git(['show', `${ref}:new.txt`])).toBe('new');
    expect(folders(lab)).toEqual([]);
    expect(lab.git.branches()).toEqual([]);
    expect(await lab.row(run_id)).toMatchObject({ worktree: { state: 'discarded' } });
    expect(await lab.changes.apply({ run_id, mode: 'merge' })).toMatchObject({ error: { code: 'not_allowed' } });
  });

  test('nothing is done with a worktree while its run lives', async () => {
    await using lab = await CoreLab.open();
    const answer = await lab.dispatch(['echo new > new.txt; sleep 60']);
    const [run_id = ''] = answer.run_ids;
    const { worktree } = await lab.rowWhen(run_id, 'its worktree', (row) => row.worktree !== null);
    await until('its work', () => existsSync(join(worktree?.path ?? '', 'new.txt')));
    const acts = [
      lab.changes.apply({ run_id, mode: 'merge' }),
      lab.changes.keep({ run_id }),
      lab.changes.discard({ run_id, accept_loss: true }),
    ];
    for (const refused of await Promise.all(acts)) {
      expect(refused).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
    }
    expect(value(await lab.changes.show({ run_id })).files).toHaveLength(1);
    await lab.stop(run_id);
  });

  test('a run without a worktree has none to deal with', async () => {
    await using lab = await CoreLab.open();
    const { run_id, ...result } = await lab.run({ goal: 'true', isolation: 'none' });
    expect(result).not.toHaveProperty('worktree');
    expect(await lab.changes.discard({ run_id, accept_loss: true })).toMatchObject({ error: { code: 'not_allowed' } });
    expect(value(await lab.changes.show({ run_id }))).toMatchObject({ source: 'calls', files: [], patch: '' });
    expect(await lab.changes.show({ run_id: 'run_000000000000' })).toMatchObject({ error: { code: 'not_found' } });
  });
});
