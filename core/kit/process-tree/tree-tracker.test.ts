import { expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import type { ProcessDetails, ProcessEntry, ProcessSource } from './process-entry.ts';
import { ProcessScanner } from './process-scanner.ts';
import { trackTree, type TreeTracker } from './tree-tracker.ts';

const ROOT = { pid: 100, startTime: 't100' };

// Its command line is not part of a listing, as on Linux, and has to be asked for.
const entry: ProcessEntry = {
  ...ROOT,
  ppid: 50,
  pgid: 100,
  session: 100,
  startedAt: 1,
  state: 'S',
  command: 'sh',
  terminal: false,
  marker: null,
};

const details = (commandLine: string | null): Map<number, ProcessDetails> =>
  new Map([[ROOT.pid, { uid: 0, cgroup: null, tag: null, outputs: [], cwd: '/', commandLine }]]);

const sourceOf = (inspect: ProcessSource['inspect']): ProcessSource => ({
  ownPid: 50,
  startedAt: () => null,
  proof: 'session+marker+descendants',
  list: () => Promise.resolve({ entries: [entry], vanished: 0 }),
  identify: () => Promise.resolve(null),
  living: (identities) => Promise.resolve([...identities]),
  inspect,
  signal: () => Promise.resolve(),
});

function track(source: ProcessSource): { scanner: ProcessScanner; tracker: TreeTracker } {
  const scanner = new ProcessScanner({ source, clock: systemClock, scanEveryMs: { minMs: 60_000, maxMs: 60_000 } });
  return {
    scanner,
    tracker: trackTree({ scanner, root: ROOT, marker: null, leads: true, evidence: { sealed: true } }),
  };
}

test('C4: two listings taken in at once never show an empty tree while its root lives', async () => {
  const gates: PromiseWithResolvers<Map<number, ProcessDetails>>[] = [];
  const asked = Promise.withResolvers<void>();
  const { scanner, tracker } = track(
    sourceOf(() => {
      const gate = Promise.withResolvers<Map<number, ProcessDetails>>();
      gates.push(gate);
      asked.resolve();
      return gate.promise;
    }),
  );
  const looked = tracker.refresh();
  await asked.promise;
  // The regular listing comes while the details of the first are still being read.
  const regular = scanner.fresh().then((table) => tracker.onTable(table));
  for (let n = 0; n < 4; n += 1) await new Promise(setImmediate);
  gates[0]?.resolve(details('sh'));
  expect((await looked).living.map(({ pid }) => pid)).toEqual([100]);
  for (const gate of gates) gate.resolve(details('sh'));
  await regular;
  tracker.close();
});

test('C4: a process that was seen in the middle of its exec has its command line with the next listing, and keeps it while it dies', async () => {
  const said = [null, 'sleep 300', null];
  const { tracker } = track(sourceOf(() => Promise.resolve(details(said.shift() ?? null))));
  const seen: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const { living } = await tracker.refresh();
    seen.push(...living.map(({ command }) => command));
  }
  expect(seen).toEqual(['sh', 'sleep 300', 'sleep 300']);
  tracker.close();
});
