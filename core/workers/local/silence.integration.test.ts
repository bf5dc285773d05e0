import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../testing/process-trees.ts';
import { WorkerLab } from '../../testing/worker-lab.ts';

let lab: WorkerLab;

beforeEach(() => {
  lab = new WorkerLab();
});

afterEach(async () => {
  expect(await lab.dispose()).toEqual([]);
});

const WAITS = `async ({ port, file }) => {
  port.transcript.add({ type: 'notice', level: 'info' }, 'here');
  await file('go');
}`;

test('R7, B45: a worker that is frozen is ended and said to have been silent; one that answers stays, however little it does', async () => {
  const pool = await lab.open({ timings: { pingMs: 100, silenceMs: 1500 } });
  const limits = { idle_seconds: 1 };
  const base = lab.order(WAITS).assignment.limits;
  const frozen = lab.order(WAITS, { limits: { ...base, ...limits } });
  const quiet = lab.order(WAITS, { limits: { ...base, ...limits } });
  pool.start(frozen);
  pool.start(quiet);
  await Promise.all([lab.event(frozen, 'entry'), lab.event(quiet, 'entry')]);
  const { pid } = lab.of(frozen.attempt_id);
  process.kill(pid ?? 0, 'SIGSTOP');
  const exit = await lab.exit(frozen);
  expect(exit.silent).toContain('Nothing came from its worker for');
  expect(exit).toMatchObject({ connected: true, active: true, proof: { method: 'observed' } });
  expect(lab.of(quiet.attempt_id).exits).toEqual([]);
  lab.signal(quiet, 'go');
  await until('the other to end', () => lab.of(quiet.attempt_id).exits.length > 0);
  expect(lab.of(quiet.attempt_id).exits[0]?.silent ?? null).toBeNull();
});
