import { describe, expect, test } from 'vitest';
import { SetResult } from '../../core/protocol/result-entry.ts';
import { givenArguments } from '../testing/fake-context.ts';
import { runRow, setResult, setRow } from '../testing/rows.ts';
import { ANSWER, failure, following, over, world } from '../testing/run-world.ts';
import { run } from './run.ts';

describe('Ctrl-C during espalier run', () => {
  const receipt = { run_ids: ['run_1'], ended: [], survivors: [], proof: { method: 'observed', how: 'group' } };

  test('once: stops the set, waits for its end, prints the result; status 130', async () => {
    const result = setResult({ status: 'stopped' });
    const show = () => ({ set: setRow({ status: 'stopped' }), runs: [], result });
    const { context, core, publish, interrupt, calls, seen } = world({
      'runs.stop': () => receipt,
      'sets.show': show,
    });
    const running = run(context, givenArguments(['b.json'], { json: true }));
    await following(core);
    interrupt();
    await expect.poll(() => calls('runs.stop').map(({ input }) => input)).toEqual([{ id: 'deleg_1' }]);
    expect(seen.notes).toContain('Stopping; Ctrl-C again kills.');
    publish(over('stopped'));
    expect(await running).toBe(130);
    expect(SetResult.parse(JSON.parse(seen.out)).status).toBe('stopped');
    expect(seen.closed).toBe(1);
  });

  test('C3: while the set is being stored: it is stopped as soon as it is known, also with --detach', async () => {
    const forms: Record<string, true>[] = [{}, { detach: true }];
    for (const options of forms) {
      const stored = Promise.withResolvers<typeof ANSWER>();
      const { context, core, publish, interrupt, calls, seen } = world({
        'batches.dispatch': () => stored.promise,
        'runs.stop': () => receipt,
      });
      const running = run(context, givenArguments(['b.json'], options));
      await expect.poll(() => calls('batches.dispatch')).toHaveLength(1);
      interrupt();
      expect(seen.notes).toEqual(['Stopping what is being stored; Ctrl-C again does not wait for it.']);
      stored.resolve(ANSWER);
      await expect.poll(() => calls('runs.stop').map(({ input }) => input)).toEqual([{ id: 'deleg_1' }]);
      await following(core);
      publish(over('stopped'));
      expect(await running).toBe(130);
    }
  });

  test('S1: before anything is stored: nothing is; status 130, and the core is left', async () => {
    const { context, interrupt, calls, seen } = world({ 'batches.validate': () => new Promise(() => undefined) });
    const running = failure(run(context, givenArguments(['b.json'])));
    await expect.poll(() => calls('batches.validate')).toHaveLength(1);
    interrupt();
    expect((await running).status).toBe(130);
    expect([calls('batches.dispatch'), seen.closed]).toEqual([[], 1]);
  });

  test('C3: what runs below the set is waited for too, and the receipt is told; of other work in the core nothing is', async () => {
    const survivors = [{ pid: 7, command: 'sleep 9' }];
    const { context, core, publish, interrupt, seen } = world({
      'runs.stop': () => ({ ...receipt, survivors, proof: { method: 'survivors' } }),
      'sets.show': () => ({ set: setRow({ status: 'stopped' }), runs: [], result: setResult({ status: 'stopped' }) }),
    });
    const running = run(context, givenArguments(['b.json']));
    await following(core);
    const below = { run_id: 'run_2', root_run_id: 'run_1', parent_run_id: 'run_1', delegation_id: 'deleg_2', set: 2 };
    const beside = { run_id: 'run_3', root_run_id: 'run_3', delegation_id: 'deleg_3', set: 3 };
    publish({ type: 'set', row: setRow({ delegation_id: 'deleg_2', set: 2 }) });
    publish({ type: 'run', row: runRow() }, { type: 'run', row: runRow(below) }, { type: 'run', row: runRow(beside) });
    interrupt();
    publish({ type: 'run', row: runRow({ state: 'ended', outcome: 'stopped' }) }, over('stopped'));
    const ended = { state: 'ended', outcome: 'stopped', goal: 'Below' };
    publish({ type: 'run', row: runRow({ ...below, ...ended }) });
    expect(await running).toBe(130);
    const [, ...after] = seen.notes.slice(seen.notes.findIndex((note) => note.startsWith('■ [set 2] Below')));
    expect(after.slice(0, 2)).toEqual(['Stopped 1 run (survivors).', '  STILL ALIVE 7 sleep 9']);
  });

  test('twice: kills the set and nothing else, and waits for its end as well; status 130', async () => {
    const { context, core, publish, interrupt, calls, seen } = world({ 'runs.stop': () => receipt });
    const running = run(context, givenArguments(['b.json'], { json: true }));
    await following(core);
    interrupt();
    interrupt();
    const asked = (): unknown[] => calls('runs.stop').map(({ input }) => input);
    await expect.poll(asked).toEqual([{ id: 'deleg_1' }, { id: 'deleg_1', now: true }]);
    expect(seen.notes).toContain('Killing; Ctrl-C again leaves at once.');
    publish(over('stopped'));
    expect(await running).toBe(130);
    expect(seen.out.trim().split('\n')).toHaveLength(1);
  });

  test('three times: leaves what does not end to a core in the background; status 130, nothing on stdout', async () => {
    const hosted = { clients: () => 0, atWork: () => 1 };
    const answers = { 'runs.stop': () => new Promise(() => undefined) };
    const { context, core, interrupt, seen } = world(answers, { hosted });
    const running = run(context, givenArguments(['b.json'], { json: true }));
    await following(core);
    for (let presses = 0; presses < 3; presses += 1) interrupt();
    expect(await running).toBe(130);
    expect([seen.out, seen.closed, seen.background]).toEqual(['', 1, 1]);
  });

  test('C3: twice while the set is being stored: it is killed as soon as it is known, and not followed', async () => {
    const stored = Promise.withResolvers<typeof ANSWER>();
    const { context, core, interrupt, calls } = world({
      'batches.dispatch': () => stored.promise,
      'runs.stop': () => receipt,
    });
    const running = failure(run(context, givenArguments(['b.json'])));
    await expect.poll(() => calls('batches.dispatch')).toHaveLength(1);
    interrupt();
    interrupt();
    stored.resolve(ANSWER);
    expect((await running).status).toBe(130);
    expect(calls('runs.stop').map(({ input }) => input)).toEqual([{ id: 'deleg_1', now: true }]);
    expect(core.hub.subscriptions).toBe(0);
  });
});
