import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import type { ResultEntry, WorktreeResult } from '../../protocol/result-entry.ts';
import type { GcReport } from '../../protocol/gc.ts';
import { CoreLab, value } from '../../testing/core-lab.ts';
import { staleSockets } from './stale-sockets.ts';

const CALLER = { client: 'test' };
const DAY = 24 * 3600 * 1000;
const ME = 'git -c user.name=A -c user.email=a@b.c';

/** A core whose calendar can be turned on. */
async function labWithCalendar(settings: object = {}) {
  const calendar = { days: 0 };
  const clock = { ...systemClock, now: () => Date.now() + calendar.days * DAY };
  const lab = new CoreLab();
  lab.settings(settings);
  await lab.host({ clock });
  const gc = async (dry_run: boolean): Promise<GcReport> => {
    const report = value(await lab.service.storage.gc({ dry_run }, CALLER));
    // Sockets lie outside the data folder, and may be anybody's.
    return { ...report, items: report.items.filter(({ kind }) => kind !== 'socket') };
  };
  return { lab, calendar, gc };
}

const kindsOf = ({ items }: GcReport): string[] => items.map(({ kind }) => kind);

function worktreeOf({ worktree }: ResultEntry): WorktreeResult {
  if (worktree == null) throw new Error('The run had no worktree');
  return worktree;
}

test('gc: a worktree whose commits the project has goes with its branch; one with a commit, a change or an untracked file of its own stays', async () => {
  const { lab, gc } = await labWithCalendar();
  await using _ = lab;
  const applied = await lab.run(`echo a > a1.txt; git add -A; ${ME} commit -qm a`);
  const committed = await lab.run(`echo b > b1.txt; git add -A; ${ME} commit -qm b`);
  const untracked = await lab.run('echo c > c1.txt');
  const tree = worktreeOf(applied);
  value(await lab.changes.apply({ run_id: applied.run_id, mode: 'merge' }));
  const dry = await gc(true);
  expect(dry.items).toMatchObject([
    {
      kind: 'worktree',
      what: tree.path,
      reason: 'The project has all its commits, and nothing else is in it.',
      done: false,
    },
  ]);
  expect(dry.bytes).toBeGreaterThan(0);
  expect(existsSync(tree.path)).toBe(true);
  const head = lab.git.git(['rev-parse', 'HEAD']);
  // Between listing and deleting somebody works in it: a look comes before each deletion.
  writeFileSync(join(tree.path, 'later.txt'), 'kept');
  expect(kindsOf(await gc(false))).toEqual([]);
  rmSync(join(tree.path, 'later.txt'));
  expect((await gc(false)).items).toMatchObject([{ kind: 'worktree', done: true, error: null }]);
  expect(existsSync(tree.path)).toBe(false);
  expect(lab.git.git(['branch', '--list', tree.branch])).toBe('');
  expect((await lab.row(applied.run_id)).worktree?.state).toBe('removed');
  for (const { path, branch } of [committed, untracked].map(worktreeOf)) {
    expect(existsSync(path)).toBe(true);
    expect(lab.git.git(['branch', '--list', branch])).not.toBe('');
  }
  expect(lab.git.git(['rev-parse', 'HEAD'])).toBe(head);
  expect(await gc(false)).toMatchObject({ items: [], bytes: 0 });
});

test('gc, W4: refs of discarded work go after 30 days, not sooner', async () => {
  const { lab, calendar, gc } = await labWithCalendar();
  await using _ = lab;
  const { run_id } = await lab.run('echo c > c1.txt');
  const { ref } = value(await lab.changes.discard({ run_id, accept_loss: false }));
  calendar.days = 29;
  expect(kindsOf(await gc(false))).toEqual([]);
  calendar.days = 31;
  expect((await gc(true)).items).toMatchObject([
    { kind: 'discarded_ref', what: ref, reason: 'Discarded 31 days ago.' },
  ]);
  expect(lab.git.git(['for-each-ref', ref])).not.toBe('');
  expect((await gc(false)).items).toMatchObject([{ kind: 'discarded_ref', done: true }]);
  expect(lab.git.git(['for-each-ref', ref])).toBe('');
});

test('gc, D7: files of ended attempts, backups and summaries of nothing go when their time is over; what is live, new or not ours stays', async () => {
  const { lab, calendar, gc } = await labWithCalendar({ retention: { fileDays: 10 } });
  await using _ = lab;
  await lab.run('echo over', { defaults: { isolation: 'none' } });
  const live = await lab.dispatch(['sleep 600'], { defaults: { isolation: 'none' } });
  await lab.rowWhen(live.run_ids[0] ?? '', 'it to be at work', ({ state }) => state === 'running');
  const folder = join(lab.git.data, 'projects', await lab.project());
  const [atWork = ''] = readdirSync(join(folder, 'attempts'));
  const write = (name: string, text = 'x'.repeat(1000)): string => {
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const spill = write('attempts/att_of_no_run/spill/out-1.txt');
  const spool = write('attempts/att_of_no_run/spool.ndjson');
  const foreign = write('attempts/att_of_no_run/notes-of-a-person.txt');
  const summary = write('summaries/run_000000000000.md');
  const backup = write('project.db.v1.bak');
  const replaced = write('project.db-wal.replaced-1');
  const livePath = write(`attempts/${atWork}/spill/out-1.txt`);
  utimesSync(backup, new Date(), new Date());
  expect(kindsOf(await gc(true)).sort()).toEqual(['spool', 'summary']);
  calendar.days = 11;
  const found = await gc(true);
  expect(found.items.map(({ kind, what }) => [kind, what]).sort()).toEqual([
    ['backup', backup],
    ['output', join(folder, 'attempts/att_of_no_run/spill')],
    ['spool', spool],
    ['summary', summary],
  ]);
  expect(found.bytes).toBe(4000);
  expect([spill, spool, summary, backup].every((path) => existsSync(path))).toBe(true);
  expect(await gc(false)).toMatchObject({ dry_run: false, bytes: 4000 });
  expect([spill, spool, summary, backup].filter((path) => existsSync(path))).toEqual([]);
  expect([foreign, replaced, livePath].filter((path) => !existsSync(path))).toEqual([]);
  await lab.stop(live.run_ids[0] ?? '');
});

test('gc, D7: conversations are kept for ever unless the settings say how long; then old ones go, but none that is live or has a worktree', async () => {
  const { lab, calendar, gc } = await labWithCalendar();
  await using _ = lab;
  const old = await lab.dispatch(['echo old'], { defaults: { isolation: 'none' } });
  await lab.ended(old);
  const kept = await lab.dispatch(['echo c > c1.txt']);
  await lab.ended(kept);
  const live = await lab.dispatch(['sleep 600'], { defaults: { isolation: 'none' } });
  await lab.rowWhen(live.run_ids[0] ?? '', 'it to be at work', ({ state }) => state === 'running');
  calendar.days = 400;
  expect(kindsOf(await gc(false)).filter((kind) => kind === 'conversation')).toEqual([]);
  value(await lab.service.settings.set({ key: 'retention.conversationDays', value: 90 }, CALLER));
  const found = (await gc(false)).items.filter(({ kind }) => kind === 'conversation');
  expect(found).toMatchObject([
    { what: old.conversation_id, done: true, reason: expect.stringContaining('kept for 90') as string },
  ]);
  const left = value(await lab.service.conversations.list({ all: true }, CALLER)).map((row) => row.conversation_id);
  expect(left.sort()).toEqual([kept.conversation_id, live.conversation_id].sort());
  await lab.stop(live.run_ids[0] ?? '');
});

test('gc: a socket on which nobody listens goes with its folder; one that is listened on, and what is no socket, stays', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-gc-'));
  const place = (name: string): string => {
    mkdirSync(join(folder, name));
    return join(folder, name, 'workers.sock');
  };
  const dead = place('espalier-dead');
  const child = spawn(
    process.execPath,
    ['--eval', `require('net').createServer().listen(${JSON.stringify(dead)}, () => console.log('up'))`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exited = once(child, 'exit');
  await once(createInterface(child.stdout), 'line');
  expect(await staleSockets(folder)).toEqual([]);
  child.kill('SIGKILL');
  await exited;
  const server = createServer().listen(place('espalier-live'));
  await once(server, 'listening');
  writeFileSync(place('espalier-file'), '');
  const found = await staleSockets(folder);
  expect(found.map(({ item }) => item.what)).toEqual([dead]);
  for (const { remove } of found) expect(await remove()).toBeNull();
  expect(readdirSync(folder).sort()).toEqual(['espalier-file', 'espalier-live']);
  server.close();
  rmSync(folder, { recursive: true });
});
