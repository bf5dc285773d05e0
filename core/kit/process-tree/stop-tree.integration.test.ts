import { existsSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ProcessLab, until } from '../../testing/process-trees.ts';
import type { HeldRoot } from '../../testing/process-trees.ts';
import { systemClock } from '../clock.ts';
import { hostProcesses, isSameProcess, processIdentity } from './host-processes.ts';
import { hasTag, tagFor, tagProcess } from './linux-tag.ts';
import { ProcessScanner } from './process-scanner.ts';
import { endLeftovers, stopTree } from './stop-tree.ts';
import { trackTree } from './tree-tracker.ts';
import type { TreeTracker } from './tree-tracker.ts';

const STOP = { graceMs: 200, clock: systemClock };
const OBSERVED = { method: 'observed', how: 'session+marker+descendants' };

/** So rare that only what a test asks for is listed. */
const NEVER = { minMs: 600_000, maxMs: 600_000 };

let lab: ProcessLab;
let trackers: TreeTracker[];

beforeEach(() => {
  lab = new ProcessLab();
  trackers = [];
});

afterEach(async () => {
  for (const tracker of trackers) tracker.close();
  expect(await lab.dispose()).toEqual([]);
});

function track(root: HeldRoot, sealed: boolean, pace = NEVER): TreeTracker {
  const scanner = new ProcessScanner({ source: hostProcesses(), clock: systemClock, scanEveryMs: pace });
  const evidence = { sealed, tag: sealed ? tagFor(lab.runId) : null };
  const tracker = trackTree({ scanner, root: root.identity, marker: lab.runId, leads: true, evidence });
  trackers.push(tracker);
  return tracker;
}

/** A root that was tagged before its first fork, as a worker is. */
async function sealedTree(script: string): Promise<{ root: HeldRoot; tracker: TreeTracker }> {
  const root = await lab.hold(script);
  expect(await tagProcess(root.identity, lab.runId)).toBe(true);
  const tracker = track(root, true);
  root.go();
  return { root, tracker };
}

async function gone(pid: number): Promise<void> {
  await until(`pid ${pid} is gone`, async () => {
    const identity = await processIdentity(pid);
    return identity === null || !(await isSameProcess(identity));
  });
}

describe('case 29: forms that withstand a plain kill', () => {
  const NOTE = 'echo $$ > child';
  test.each([
    ['SIGTERM ignored by all', `trap "" TERM; sh -c '${NOTE}; exec sleep 300' & sleep 300`],
    ['setsid', `trap "" TERM; setsid sh -c '${NOTE}; exec sleep 300' & sleep 300`],
    ['nohup', `trap "" TERM; nohup sh -c '${NOTE}; exec sleep 300' >/dev/null 2>&1 & sleep 300`],
    ['a double fork into a new session', `setsid -f sh -c '${NOTE}; exec sleep 300' >/dev/null 2>&1; sleep 300`],
    [
      'the same with a cleared environment and another folder',
      `env -i setsid -f sh -c '${NOTE}; cd /; exec sleep 300' >/dev/null 2>&1 </dev/null; sleep 300`,
    ],
  ])('%s → nothing is left, observed', async (_, script) => {
    const { root, tracker } = await sealedTree(script);
    const child = await lab.pidIn('child', 'sleep 300');
    const receipt = await stopTree(tracker, STOP);
    expect(receipt.survivors).toEqual([]);
    expect(receipt.proof).toEqual(OBSERVED);
    const commands = new Map(receipt.ended.map(({ pid, command }) => [pid, command]));
    expect(commands.has(root.identity.pid)).toBe(true);
    expect(commands.get(child)).toMatch(/sleep 300/);
    await gone(child);
  });

  test('cleared environment, new session, re-parented before it was ever seen, nothing sealed → unknown, naming it', async () => {
    const script = `env -i setsid -f sh -c 'echo $$ > child; cd /; exec sleep 300' >/dev/null 2>&1 </dev/null; sleep 300`;
    const root = await lab.hold(script);
    const tracker = track(root, false);
    root.go();
    const child = await lab.pidIn('child');
    const { proof, ended } = await stopTree(tracker, STOP);
    expect(proof.method).toBe('unknown');
    expect(proof).toHaveProperty('reason', expect.stringContaining(`pid ${child} (`));
    expect(ended.map(({ pid }) => pid)).not.toContain(child);
    // A suspect may be anybody's: it is named, not signalled.
    const identity = await processIdentity(child);
    if (identity === null) throw new Error('it should still live');
    await hostProcesses().signal({ signal: 'SIGKILL', processes: [identity], groups: [] });
    await gone(child);
    const after = await stopTree(tracker, STOP);
    expect(after.proof).not.toHaveProperty('reason', expect.stringContaining(`pid ${child} (`));
  });

  test('the same, seen once while its parent lived → found, though its parent is gone', async () => {
    const script = `env -i setsid sh -c 'echo $$ > child; exec sleep 300' >/dev/null 2>&1 & sleep 300`;
    const root = await lab.hold(script);
    const tracker = track(root, true, { minMs: 10, maxMs: 20 });
    root.go();
    const child = await lab.pidIn('child');
    await until('the child is recorded', () => tracker.living.some(({ pid }) => pid === child));
    root.child.kill('SIGKILL');
    await root.exited;
    const receipt = await stopTree(tracker, STOP);
    expect(receipt.ended.map(({ pid }) => pid)).toContain(child);
    expect(receipt.proof).toEqual(OBSERVED);
    await gone(child);
  });

  test('writing to the pipe of a recorded process → found, without marker, tag or parent', async () => {
    const root = await lab.hold(
      `( echo $$ > writer; while [ ! -e next ]; do sleep 0.02; done
         env -i setsid -f sh -c 'echo $$ > child; cd /; exec sleep 300'; sleep 300 ) | cat >/dev/null`,
    );
    const tracker = track(root, true);
    root.go();
    await lab.pidIn('writer');
    await tracker.refresh();
    writeFileSync(lab.path('next'), '');
    const child = await lab.pidIn('child');
    expect(await hasTag(child, tagFor(lab.runId))).toBe(false);
    const receipt = await stopTree(tracker, STOP);
    expect(receipt.ended.map(({ pid }) => pid)).toContain(child);
    expect(receipt.proof).toEqual(OBSERVED);
    await gone(child);
  });

  test('B01: the root killed first, its detached canary is swept by the marker', async () => {
    const canary = `while :; do date +%s.%N >> canary; sleep 0.05; done`;
    const { root, tracker } = await sealedTree(`setsid sh -c 'echo $$ > child; ${canary}' & sleep 600`);
    const child = await lab.pidIn('child');
    await until('the canary sings', () => lab.size('canary') > 0);
    root.child.kill('SIGKILL');
    await root.exited;
    const receipt = await stopTree(tracker, STOP);
    expect(receipt.ended.map(({ pid }) => pid)).toContain(child);
    expect(receipt.proof).toEqual(OBSERVED);
    await gone(child);
  });

  test('a tree that goes on forking is ended', async () => {
    const { tracker } = await sealedTree(
      `trap "" TERM; echo $$ > child; n=0; while [ $n -lt 500 ]; do setsid sleep 300 & sleep 0.01; n=$((n+1)); done; wait`,
    );
    await lab.pidIn('child');
    const receipt = await stopTree(tracker, STOP);
    expect(receipt.survivors).toEqual([]);
    expect(receipt.proof).toEqual(OBSERVED);
  });
});

describe('how the ladder treats people’s processes', () => {
  test('case 40: a pid that now is another program is never signalled', async () => {
    const other = await lab.hold('trap "echo hit > hit" TERM; echo $$ > child; while :; do sleep 0.05; done');
    other.go();
    await lab.pidIn('child');
    const scanner = new ProcessScanner({ source: hostProcesses(), clock: systemClock, scanEveryMs: NEVER });
    const dead = { pid: other.identity.pid, startTime: 'an earlier time' };
    const evidence = { sealed: true };
    const tracker = trackTree({ scanner, root: dead, marker: 'run_of_nobody', leads: true, evidence });
    trackers.push(tracker);
    expect(await stopTree(tracker, STOP)).toEqual({ ended: [], survivors: [], proof: OBSERVED });
    const groups = [{ pgid: dead.pid, anchor: dead }];
    await scanner.source.signal({ signal: 'SIGKILL', processes: [dead], groups });
    expect(await isSameProcess(dead)).toBe(false);
    expect(await isSameProcess(other.identity)).toBe(true);
    expect(existsSync(lab.path('hit'))).toBe(false);
    await stopTree(track(other, true), STOP);
  });

  test('siblings are never touched', async () => {
    const sibling = await lab.hold('echo $$ > sibling; exec sleep 300', { env: { ESPALIER_RUN: 'run_sibling' } });
    sibling.go();
    const { tracker } = await sealedTree('echo $$ > child; exec sleep 300');
    await lab.pidIn('sibling');
    await lab.pidIn('child');
    expect((await stopTree(tracker, STOP)).ended).toHaveLength(1);
    expect(await isSameProcess(sibling.identity)).toBe(true);
    sibling.child.kill('SIGKILL');
    await sibling.exited;
  });

  test('a handler of SIGTERM runs within the grace, also in a frozen process', async () => {
    const { root, tracker } = await sealedTree(
      `trap "echo bye > bye; exit 0" TERM; echo $$ > child; kill -STOP $$; sleep 300`,
    );
    await lab.pidIn('child');
    await until('it is frozen', async () => (await tracker.refresh()).living.some(({ state }) => state === 'T'));
    const receipt = await stopTree(tracker, { graceMs: 5000, clock: systemClock });
    expect(receipt.proof).toEqual(OBSERVED);
    expect(existsSync(lab.path('bye'))).toBe(true);
    expect(root.child.signalCode).toBeNull();
  });

  test('at a normal end background processes are ended and listed', async () => {
    const { root, tracker } = await sealedTree(
      `setsid -f sh -c 'echo $$ > one; exec sleep 301'; nohup sh -c 'echo $$ > two; exec sleep 302' >/dev/null 2>&1 & exit 0`,
    );
    await root.exited;
    const pids = [await lab.pidIn('one'), await lab.pidIn('two')];
    const receipt = await endLeftovers(tracker, STOP);
    expect(receipt.background.map(({ pid }) => pid).sort()).toEqual(pids.sort());
    expect(
      receipt.background
        .map(({ command }) => command)
        .sort()
        .join(),
    ).toMatch(/sleep 301.*sleep 302/);
    expect(receipt.survivors).toEqual([]);
    expect(receipt.proof).toEqual(OBSERVED);
  });
});
