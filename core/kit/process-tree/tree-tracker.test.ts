import { expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import type { ProcessDetails, ProcessEntry, ProcessSource } from './process-entry.ts';
import { ProcessScanner } from './process-scanner.ts';
import { trackTree } from './tree-tracker.ts';

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

test('C4: two listings taken in at once never show an empty tree while its root lives', async () => {
  const gates: PromiseWithResolvers<Map<number, ProcessDetails>>[] = [];
  const asked = Promise.withResolvers<void>();
  const source: ProcessSource = {
    ownPid: 50,
    startedAt: () => null,
    proof: 'session+marker+descendants',
    list: () => Promise.resolve({ entries: [entry], vanished: 0 }),
    identify: () => Promise.resolve(null),
    living: (identities) => Promise.resolve([...identities]),
    inspect: () => {
      const gate = Promise.withResolvers<Map<number, ProcessDetails>>();
      gates.push(gate);
      asked.resolve();
      return gate.promise;
    },
    signal: () => Promise.resolve(),
  };
  const scanner = new ProcessScanner({ source, clock: systemClock, scanEveryMs: { minMs: 60_000, maxMs: 60_000 } });
  const tracker = trackTree({ scanner, root: ROOT, marker: null, leads: true, evidence: { sealed: true } });
  const looked = tracker.refresh();
  await asked.promise;
  // The regular listing comes while the details of the first are still being read.
  const regular = scanner.fresh().then((table) => tracker.onTable(table));
  for (let n = 0; n < 4; n += 1) await new Promise(setImmediate);
  gates[0]?.resolve(new Map());
  expect((await looked).living.map(({ pid }) => pid)).toEqual([100]);
  for (const gate of gates) gate.resolve(new Map());
  await regular;
  tracker.close();
});
