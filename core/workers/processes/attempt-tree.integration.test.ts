import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { hostProcesses, isSameProcess, processIdentity } from '../../kit/process-tree/host-processes.ts';
import type { ProcessIdentity } from '../../kit/process-tree/process-entry.ts';
import { ProcessScanner } from '../../kit/process-tree/process-scanner.ts';
import { endLeftovers, stopTree } from '../../kit/process-tree/stop-tree.ts';
import { ProcessLab, until } from '../../testing/process-trees.ts';
import { readoptAttempt, superviseAttempt } from './attempt-tree.ts';
import type { AttemptProcesses, AttemptTree } from './attempt-tree.ts';
import { spawnDetached } from './spawn-detached.ts';
import type { DetachedProcess } from './spawn-detached.ts';

const STOP = { graceMs: 200, clock: systemClock };
const NEVER = { minMs: 600_000, maxMs: 600_000 };

/** Leaves its tree, clears its environment, closes what it inherited, and is re-parented before anybody looks. */
const ESCAPE = `env -i setsid -f sh -c 'echo $$ > child; cd /; exec sleep 300' >/dev/null 2>&1 </dev/null`;

let lab: ProcessLab;
let trees: AttemptTree[];

beforeEach(() => {
  lab = new ProcessLab();
  trees = [];
});

afterEach(async () => {
  await Promise.all(trees.map((tree) => tree.close()));
  expect(await lab.dispose()).toEqual([]);
});

/** A stand-in for a worker: waits for `task`, then becomes `script`. */
async function worker(script: string): Promise<DetachedProcess> {
  const result = await spawnDetached(
    {
      command: 'sh',
      args: ['-c', 'while [ ! -e task ]; do sleep 0.01; done; exec sh -c "$1"', 'sh', script],
      env: { PATH: process.env.PATH ?? '', ESPALIER_RUN: lab.runId },
      cwd: lab.folder,
      stdoutPath: lab.path('out.log'),
      stderrPath: lab.path('err.log'),
      stdinBytes: new Uint8Array(),
    },
    hostProcesses(),
  );
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

function attempt(root: ProcessIdentity, more: Partial<AttemptProcesses> = {}): AttemptProcesses {
  return {
    scanner: new ProcessScanner({ source: hostProcesses(), clock: systemClock, scanEveryMs: NEVER }),
    root,
    runId: lab.runId,
    attemptKey: `${lab.runId}-1`,
    outputPaths: [lab.path('out.log'), lab.path('err.log')],
    worktree: null,
    ...more,
  };
}

async function keep(tree: Promise<AttemptTree>): Promise<AttemptTree> {
  trees.push(await tree);
  return tree;
}

const how = (tree: AttemptTree): string => (tree.tracker.cgroup === null ? 'session+marker+descendants' : 'cgroup');

describe.each([
  ['with a cgroup where one is writable', true],
  ['with the inherited tag', false],
])('an attempt sealed %s', (_, useCgroup) => {
  test('case 29: a daemon that left in every way is found and ended', async () => {
    const root = await worker(`${ESCAPE}; sleep 300`);
    const tree = await keep(superviseAttempt(attempt(root.identity, { useCgroup })));
    expect(tree.sealed).toBe(true);
    if (!useCgroup) expect(tree.tracker.cgroup).toBeNull();
    writeFileSync(lab.path('task'), '');
    const child = await lab.pidIn('child');
    const daemon = await processIdentity(child);
    const receipt = await stopTree(tree.tracker, STOP);
    expect(receipt.ended.map(({ pid }) => pid)).toEqual(expect.arrayContaining([root.pid, child]));
    expect(receipt.proof).toEqual({ method: 'observed', how: how(tree) });
    expect(daemon !== null && (await isSameProcess(daemon))).toBe(false);
  });

  test('D5: an attempt that is taken over after a restart is proved as before', async () => {
    const root = await worker(`${ESCAPE}; sleep 300`);
    const first = await superviseAttempt(attempt(root.identity, { useCgroup }));
    first.tracker.close();
    writeFileSync(lab.path('task'), '');
    const child = await lab.pidIn('child');
    const tree = await keep(readoptAttempt(attempt(root.identity, { useCgroup })));
    expect(tree.sealed).toBe(true);
    const receipt = await stopTree(tree.tracker, STOP);
    expect(receipt.ended.map(({ pid }) => pid)).toContain(child);
    expect(receipt.proof).toEqual({ method: 'observed', how: how(tree) });
  });

  test('at a normal end the daemon is background', async () => {
    const root = await worker(ESCAPE);
    const tree = await keep(superviseAttempt(attempt(root.identity, { useCgroup })));
    writeFileSync(lab.path('task'), '');
    const child = await lab.pidIn('child');
    expect(await root.waitExit()).toEqual({ code: 0, signal: null });
    const receipt = await endLeftovers(tree.tracker, STOP);
    expect(receipt.background.map(({ pid }) => pid)).toEqual([child]);
    expect(receipt.proof).toEqual({ method: 'observed', how: how(tree) });
  });
});

test('an attempt that is not sealed: a daemon that still writes to its output file is found', async () => {
  const root = await worker(`env -i setsid -f sh -c 'echo $$ > child; cd /; exec sleep 300'; sleep 300`);
  // Taken over late: neither cgroup nor tag.
  const tree = await keep(readoptAttempt(attempt(root.identity)));
  expect(tree.sealed).toBe(false);
  writeFileSync(lab.path('task'), '');
  const child = await lab.pidIn('child');
  const receipt = await stopTree(tree.tracker, STOP);
  expect(receipt.ended.map(({ pid }) => pid)).toContain(child);
});

test('an attempt that is not sealed: a daemon in its worktree makes the end unknown, and is left alone', async () => {
  const root = await worker(`env -i setsid -f sh -c 'echo $$ > child; exec sleep 300' >/dev/null 2>&1; sleep 300`);
  const tree = await keep(readoptAttempt(attempt(root.identity, { worktree: lab.folder })));
  writeFileSync(lab.path('task'), '');
  const child = await lab.pidIn('child');
  const { proof } = await stopTree(tree.tracker, STOP);
  expect(proof).toMatchObject({ method: 'unknown', reason: expect.stringContaining(`pid ${child} (`) as string });
  const identity = await processIdentity(child);
  if (identity === null) throw new Error('it should still live');
  expect(await isSameProcess(identity)).toBe(true);
  await hostProcesses().signal({ signal: 'SIGKILL', processes: [identity], groups: [] });
});

/** Resolves when a process that starts now is seen to be younger: the kernel counts starts in steps of 10 ms. */
async function laterThan(identity: ProcessIdentity | null): Promise<void> {
  const born = identity === null ? 0 : (hostProcesses().startedAt(identity) ?? 0);
  const uptimeMs = (): number => Number.parseFloat(readFileSync('/proc/uptime', 'latin1')) * 1000;
  await until('a later tick', () => Promise.resolve(uptimeMs() > born + 20));
}

test('D5, case 40: taken over after its worker died, what it left is found by the tag; a stranger that is older makes nothing unknown', async () => {
  const older = await lab.hold(`env -i setsid -f sh -c 'echo $$ > older; exec sleep 300'`);
  older.go();
  const stranger = await processIdentity(await lab.pidIn('older'));
  await older.exited;
  await laterThan(stranger);
  const root = await worker(`${ESCAPE}; exec sleep 300`);
  const first = await superviseAttempt(attempt(root.identity, { useCgroup: false }));
  writeFileSync(lab.path('task'), '');
  const child = await lab.pidIn('child');
  first.tracker.close();
  process.kill(root.pid, 'SIGKILL');
  await root.waitExit();
  const tree = await keep(readoptAttempt(attempt(root.identity, { useCgroup: false, worktree: lab.folder })));
  const receipt = await endLeftovers(tree.tracker, STOP);
  expect(receipt.background.map(({ pid }) => pid)).toEqual([child]);
  expect(receipt.survivors).toEqual([]);
  expect(JSON.stringify(receipt.proof)).not.toContain(`pid ${String(stranger?.pid)} (`);
  if (stranger === null) throw new Error('it should still live');
  expect(await isSameProcess(stranger)).toBe(true);
  await hostProcesses().signal({ signal: 'SIGKILL', processes: [stranger], groups: [] });
});

test('of two attempts each claims its own daemons, so that neither makes the other unknown', async () => {
  const root = await worker('sleep 300');
  const scanner = new ProcessScanner({ source: hostProcesses(), clock: systemClock, scanEveryMs: NEVER });
  const mine = await keep(readoptAttempt(attempt(root.identity, { scanner, worktree: lab.folder })));
  const other = await lab.hold(
    `env -i setsid sh -c 'echo $$ > child; exec sleep 300' >/dev/null 2>&1 & while [ ! -e leave ]; do sleep 0.01; done`,
    { env: { ESPALIER_RUN: 'run_other' } },
  );
  const theirs = await keep(
    readoptAttempt(
      attempt(other.identity, { scanner, runId: 'run_other', attemptKey: 'run_other-1', outputPaths: [] }),
    ),
  );
  other.go();
  const child = await lab.pidIn('child');
  await theirs.tracker.refresh();
  writeFileSync(lab.path('leave'), '');
  await other.exited;
  const receipt = await stopTree(mine.tracker, STOP);
  expect(receipt.proof).not.toHaveProperty('reason', expect.stringContaining(`pid ${child} (`));
  expect((await endLeftovers(theirs.tracker, STOP)).background.map(({ pid }) => pid)).toContain(child);
});
