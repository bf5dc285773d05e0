import { afterEach, beforeEach, expect, test } from 'vitest';
import { ProcessLab, until } from '../../testing/process-trees.ts';
import { systemClock } from '../clock.ts';
import { hostProcesses } from './host-processes.ts';
import { ProcessScanner } from './process-scanner.ts';
import { stopTree } from './stop-tree.ts';
import { trackTree } from './tree-tracker.ts';
import { sampleTreeUsage } from './tree-usage.ts';

let lab: ProcessLab;

beforeEach(() => {
  lab = new ProcessLab();
});

afterEach(async () => {
  expect(await lab.dispose()).toEqual([]);
});

test('a sample of a tree counts memory and processor time of every process, ended children too', async () => {
  const root = await lab.hold('n=0; while [ $n -lt 100000 ]; do n=$((n+1)); done; sleep 300 & echo $! > child; wait');
  const scanner = new ProcessScanner({ source: hostProcesses(), clock: systemClock });
  const evidence = { sealed: true };
  const tracker = trackTree({ scanner, root: root.identity, marker: lab.runId, leads: true, evidence });
  root.go();
  const child = await lab.pidIn('child');
  await until('both are recorded', async () => (await tracker.refresh()).living.length === 2);
  const usage = await sampleTreeUsage(tracker, { clock: systemClock, pss: true });
  expect(usage.processes.map(({ pid }) => pid).sort()).toEqual([root.identity.pid, child].sort());
  expect(usage.processes.find(({ pid }) => pid === child)?.ppid).toBe(root.identity.pid);
  expect(usage.rssBytes).toBeGreaterThan(500_000);
  expect(usage.pssBytes).toBeGreaterThan(50_000);
  expect(usage.pssBytes ?? 0).toBeLessThanOrEqual(usage.rssBytes);
  expect(usage.cpuSeconds).toBeGreaterThan(0);
  expect((await sampleTreeUsage(tracker, { clock: systemClock, pss: false })).pssBytes).toBeNull();
  await stopTree(tracker, { graceMs: 200, clock: systemClock });
  tracker.close();
});
