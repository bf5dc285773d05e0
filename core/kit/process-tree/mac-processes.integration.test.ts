import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ProcessLab } from '../../testing/process-trees.ts';
import { systemClock } from '../clock.ts';
import { hostProcesses } from './host-processes.ts';
import { MacProcesses } from './mac-processes.ts';
import { ProcessScanner } from './process-scanner.ts';
import { runSystemCommand } from './run-command.ts';
import { stopTree } from './stop-tree.ts';
import { RUN_MARKER } from './tool-environment.ts';
import { trackTree } from './tree-tracker.ts';

let lab: ProcessLab;

beforeEach(() => {
  lab = new ProcessLab();
});
afterEach(async () => {
  expect(await lab.dispose()).toEqual([]);
});

/** The real `ps` of this machine; procps writes `-E` of BSD as `e`. There may be no `lsof`, as on many machines. */
const byPs = (): MacProcesses =>
  new MacProcesses(RUN_MARKER, (command, args) =>
    runSystemCommand(command, args[0] === '-axwwE' ? ['axeww', '-o', 'pid=,command='] : args),
  );

test('the means of macOS on real processes: a listing, identities, what lives, and nothing of the dead', async () => {
  const source = byPs();
  const root = await lab.hold('sleep 300 & echo $! > child; wait');
  root.go();
  const child = await lab.pidIn('child', 'sleep 300');
  const { pid } = root.identity;
  const entry = (await source.list()).entries.find((each) => each.pid === child);
  expect(entry).toMatchObject({ ppid: pid, pgid: pid, terminal: false, marker: lab.runId, commandLine: 'sleep 300' });
  const identity = await source.identify(child);
  expect(identity?.startTime).toBe(entry?.startTime);
  expect(source.startedAt({ pid: child, startTime: entry?.startTime ?? '' })).toBe(entry?.startedAt);
  expect(source.startedAt({ pid: child, startTime: 'an earlier life' })).toBeNull();
  if (identity === null) throw new Error('the child is not seen');
  expect(await source.living([identity, { pid, startTime: 'an earlier life' }])).toEqual([identity]);
  // Case 40: it is the same process when its user has travelled.
  vi.stubEnv('TZ', 'Asia/Tokyo');
  expect(await source.living([identity])).toEqual([identity]);
  vi.unstubAllEnvs();
  await source.signal({ signal: 'SIGKILL', processes: [{ ...identity, startTime: 'an earlier life' }], groups: [] });
  expect(await source.living([identity])).toEqual([identity]);
  await source.signal({ signal: 'SIGKILL', processes: [identity], groups: [] });
  await root.exited;
  expect(await source.living([identity])).toEqual([]);
});

test('case 29: the means of macOS end a tree that is deaf to TERM, left by setsid and nohup, and one with a cleared environment that was seen', async () => {
  const root = await lab.hold(
    `trap '' TERM; sh -c 'trap "" TERM; echo $$ > deaf; while :; do sleep 0.2; done' &
     setsid -f sh -c 'echo $$ > left; exec sleep 300'; nohup sh -c 'echo $$ > nohup; exec sleep 300' >/dev/null 2>&1 &
     env -i setsid sh -c 'echo $$ > bare; exec sleep 300' >/dev/null 2>&1 & while :; do sleep 0.2; done`,
  );
  const source = byPs();
  const identity = await source.identify(root.identity.pid);
  if (identity === null) throw new Error('the root is not seen');
  const never = { minMs: 600_000, maxMs: 600_000 };
  const scanner = new ProcessScanner({ source, clock: systemClock, scanEveryMs: never });
  const evidence = { sealed: false };
  const tracker = trackTree({ scanner, root: identity, marker: lab.runId, leads: true, evidence });
  root.go();
  const pids = await Promise.all(['deaf', 'left', 'nohup', 'bare'].map((name) => lab.pidIn(name)));
  await tracker.refresh();
  const receipt = await stopTree(tracker, { graceMs: 400, clock: systemClock });
  tracker.close();
  expect(receipt.ended.map(({ pid }) => pid)).toEqual(expect.arrayContaining([root.identity.pid, ...pids]));
  expect(receipt).toMatchObject({ survivors: [], proof: { method: 'observed', how: 'session+marker+descendants' } });
  const left = (await hostProcesses().list()).entries.filter(({ pid, state }) => pids.includes(pid) && state !== 'Z');
  expect(left).toEqual([]);
});
