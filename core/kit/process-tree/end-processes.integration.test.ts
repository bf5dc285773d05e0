import { expect, onTestFinished, test } from 'vitest';
import { ProcessLab } from '../../testing/process-trees.ts';
import { systemClock } from '../clock.ts';
import { endProcesses } from './end-processes.ts';
import { hostProcesses, isSameProcess } from './host-processes.ts';

const OPTIONS = { source: hostProcesses(), clock: systemClock, graceMs: 300 };

test('case 40: only a process that still has its start time is ended, with what it has started; another under its pid is left alone', async () => {
  const lab = new ProcessLab();
  onTestFinished(async () => void (await lab.dispose()));
  const mine = await lab.hold('trap "" TERM; sleep 300 & echo $! > child; wait');
  const other = await lab.hold('echo $$ > other; sleep 300');
  mine.go();
  other.go();
  const child = await lab.pidIn('child');
  await lab.pidIn('other');
  const { pid, startTime } = mine.identity;
  const foreign = { pid: other.identity.pid, command: 'was ours once', started: 'another-time' };
  const bare = { pid: other.identity.pid, command: 'nobody knows' };
  const receipt = await endProcesses([{ pid, command: 'mine', started: startTime }, foreign, bare], OPTIONS);
  expect(receipt.ended.map((ref) => ref.pid).sort()).toEqual([pid, child].sort());
  expect(receipt).toMatchObject({ gone: [foreign], untouched: [bare], survivors: [] });
  expect(await isSameProcess(mine.identity)).toBe(false);
  expect(await isSameProcess(other.identity)).toBe(true);
});

test('nothing named → nothing is ended', async () => {
  expect(await endProcesses([], OPTIONS)).toEqual({ ended: [], gone: [], survivors: [], untouched: [] });
});
