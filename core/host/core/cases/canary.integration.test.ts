import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostProcesses, isSameProcess, processIdentity } from '../../../kit/process-tree/host-processes.ts';
import { isRunning } from '../../../kit/process-tree/process-entry.ts';
import type { ProcessIdentity } from '../../../kit/process-tree/process-entry.ts';
import { CoreLab, type LabTask } from '../../../testing/core-lab.ts';
import { until } from '../../../testing/process-trees.ts';

/** Writes down what is alive, for ever: as a child, deaf to TERM, by `setsid`, by `nohup`, and without our marker. */
function canaries(folder: string): { readonly goal: string; born(): Promise<ProcessIdentity[]>; grows(): number } {
  const names = ['child', 'deaf', 'setsid', 'nohup', 'bare'];
  const path = (name: string): string => join(folder, name);
  const sing = (name: string): string =>
    `echo $$ > ${path(name)}.pid; trap "" TERM HUP; while :; do echo . >> ${path(name)}; sleep 0.05; done`;
  const goal = [
    `( while :; do echo . >> ${path('child')}; sleep 0.05; done & echo $! > ${path('child')}.pid ) `,
    `sh -c '${sing('deaf')}' &`,
    `setsid -f sh -c '${sing('setsid')}'`,
    `nohup sh -c '${sing('nohup')}' >/dev/null 2>&1 &`,
    `env -i PATH="$PATH" setsid -f sh -c '${sing('bare')}' >/dev/null 2>&1 </dev/null`,
    'sleep 600',
  ].join('\n');
  const sizeOf = (name: string): number => statSync(path(name), { throwIfNoEntry: false })?.size ?? 0;
  return {
    goal,
    async born() {
      const identities = names.map(async (name) => {
        await until(`the canary ${name}`, () => sizeOf(name) > 0 && sizeOf(`${name}.pid`) > 0);
        return processIdentity(Number.parseInt(readFileSync(`${path(name)}.pid`, 'utf8'), 10));
      });
      return (await Promise.all(identities)).filter((identity) => identity !== null);
    },
    grows: () => names.reduce((sum, name) => sum + sizeOf(name), 0),
  };
}

type End = (lab: CoreLab, ids: { run: string; set: string; conversation: string }) => Promise<unknown>;

/** The process of a run's worker: the leader of the session that carries its marker. */
async function workerOf(run: string): Promise<number> {
  const { entries } = await hostProcesses().list();
  const found = entries.filter((entry) => entry.marker === run && isRunning(entry) && entry.command !== 'sh');
  const worker = found.find(({ pid, session, ppid }) => session === pid && ppid === process.pid);
  if (worker === undefined) throw new Error('the worker of the run is not seen');
  return worker.pid;
}

const ENDS: [how: string, end: End, more: Partial<Exclude<LabTask, string>>, outcome: string][] = [
  ['a stop of the run', (lab, { run }) => lab.stop(run), {}, 'stopped'],
  ['a stop of its set', (lab, { set }) => lab.stop(set), {}, 'stopped'],
  ['a stop of its conversation', (lab, { conversation }) => lab.stop(conversation), {}, 'stopped'],
  ['a deadline', () => Promise.resolve(), { limits: { timeout_seconds: 6 } }, 'timed_out'],
  ['SIGKILL of its worker', async (_, { run }) => process.kill(await workerOf(run), 'SIGKILL'), {}, 'failed'],
  ['the end of the app with all its work', (lab) => lab.leave({ endAll: true }).then(() => lab.host()), {}, 'stopped'],
];

test.each(ENDS)('B01, case 29: %s ends every canary, and every surface says so', async (_, end, more, outcome) => {
  await using lab = new CoreLab();
  lab.settings({ limits: { stopGraceSeconds: 0.5 } });
  await lab.host();
  const { goal, born, grows } = canaries(lab.git.root);
  const set = await lab.dispatch([{ goal, isolation: 'none', ...more }]);
  const run = set.run_ids[0] ?? '';
  const alive = await born();
  expect(alive).toHaveLength(5);
  const { conversation_id } = await lab.row(run);
  await end(lab, { run, set: set.delegation_id, conversation: conversation_id });
  const row = await lab.rowWhen(run, 'its end', ({ state }) => state === 'ended');
  for (const identity of alive) expect(await isSameProcess(identity)).toBe(false);
  const song = grows();
  expect(row).toMatchObject({ outcome, proof: { method: 'observed' } });
  const { status, results } = await lab.ended(set);
  expect(results).toMatchObject([{ status: outcome }]);
  expect(results[0]?.survivors ?? []).toEqual([]);
  expect(status).toBe(outcome === 'stopped' ? 'stopped' : 'failed');
  expect(grows()).toBe(song);
  const { entries } = await hostProcesses().list();
  expect(entries.filter((entry) => entry.marker === run && isRunning(entry))).toEqual([]);
});
