import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { delay, systemClock } from '../../kit/clock.ts';
import { RUN_MARKER } from '../../kit/process-tree/tool-environment.ts';
import { readCoreInfo } from '../../registry/lock/core-info.ts';
import { CoreLab } from '../../testing/core-lab.ts';
import { until } from '../../testing/process-trees.ts';
import { SlowGit } from '../../testing/slow-git.ts';
import { endLeftGit, gitOwner } from './left-git.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-left-git-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A program that says when it is there; `line` is run by the shell first. */
async function program(marker: string, line: string) {
  const args = ['-c', `${line}; echo there; exec cat`];
  const child = spawn('sh', args, {
    env: { PATH: process.env['PATH'], [RUN_MARKER]: marker },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return { child, exited: once(child, 'exit') };
}

test('D5: the next core waits for the git of a dead one, which goes on meanwhile: nothing of it is left', async () => {
  await using lab = new CoreLab();
  const git = new SlowGit(lab, 'update-ref --create-reflog');
  const elsewhere = await lab.dispatchElsewhere(['echo once >> work.txt'], git.environment);
  await git.reached();
  await elsewhere.kill();
  const hosting = lab.host();
  await until('the lock', () => readCoreInfo(lab.git.data)?.pid === process.pid);
  const waits = delay(systemClock, 1500).then(() => 'waits');
  expect(await Promise.race([hosting.then(() => 'is up'), waits])).toBe('waits');
  await git.release();
  await hosting;
  await lab.project();
  const { worktree } = await lab.result(elsewhere.answer);
  expect(lab.git.branches()).toEqual([worktree?.branch]);
});

test('D5, case 40: what does not end is asked to and then killed; a program with another marker is left alone', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'espalier-left-git-copy-'));
  const [gentle, deaf, stranger] = await Promise.all([
    program(gitOwner(folder), 'true'),
    program(gitOwner(folder), `trap '' TERM`),
    program(gitOwner(copy), 'true'),
  ]);
  await endLeftGit({ home: folder, clock: systemClock, patienceMs: 0 });
  expect((await gentle.exited)[1]).toBe('SIGTERM');
  expect((await deaf.exited)[1]).toBe('SIGKILL');
  expect(stranger.child.exitCode ?? stranger.child.signalCode).toBe(null);
  stranger.child.stdin.end();
  expect(await stranger.exited).toEqual([0, null]);
  rmSync(copy, { recursive: true });
});
