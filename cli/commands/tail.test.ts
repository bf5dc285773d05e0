import { describe, expect, test } from 'vitest';
import type { Entry, EntryMeta } from '../../core/protocol/entry.ts';
import { givenArguments } from '../testing/fake-context.ts';
import { entry, statusOf, world } from '../testing/command-world.ts';
import { runRow } from '../testing/rows.ts';
import * as tail from './tail.ts';

describe('espalier tail', () => {
  test('prints the transcript; JSON has one entry a line', async () => {
    const { context, seen } = world();
    expect(await tail.run(context, givenArguments(['run_1'], { json: true }))).toBe(0);
    expect(
      seen.out
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as Entry).text),
    ).toEqual(['one', 'two']);
  });

  test('text is told apart by who wrote it, and cannot act on the terminal', async () => {
    const call: EntryMeta = {
      ...{ type: 'tool_call', call_id: 'c', name: 'bash', title: 'Running ls', arguments: '{}' },
      ...{ status: 'ok', display: null, seconds: 1 },
    };
    const entries = [
      entry(0, 'Do it', { meta: { type: 'user', origin: 'goal', steer_id: null } }),
      entry(1, 'a.ts\u001b]0;title\u0007', { meta: call }),
      entry(2, 'Careful', { meta: { type: 'notice', level: 'warning' } }),
      entry(3, 'new', { meta: { type: 'hologram' } }),
    ];
    const { context, seen } = world({ 'transcript.page': () => ({ entries, entry_count: 4 }) });
    await tail.run(context, givenArguments(['run_1']));
    expect(seen.out).toBe('> goal\n> Do it\n● Running ls\n  a.ts\n! Careful\n[hologram]\n  new\n');
  });

  test('--follow prints what comes, whole lines at once, fills gaps, and ends with the run', async () => {
    const stored = [entry(0, 'one')];
    const page = ({ from }: { from: number }) => ({
      entries: stored.filter((one) => one.entry >= from),
      entry_count: stored.length,
    });
    const { context, core, publish, seen } = world({ 'transcript.page': page });
    const running = tail.run(context, givenArguments(['run_1'], { follow: true }));
    await expect.poll(() => core.hub.subscriptions).toBe(1);
    publish({ type: 'entry', entry: entry(1, 'two\nthr', { ended: false }) });
    await expect.poll(() => seen.out).toBe('one\ntwo\n');
    publish({ type: 'delta', run_id: 'run_1', entry: 1, offset: 7, text: 'ee\n' });
    await expect.poll(() => seen.out).toBe('one\ntwo\nthree\n');
    publish(
      { type: 'delta', run_id: 'run_1', entry: 1, offset: 10, text: 'end' },
      { type: 'entry_end', run_id: 'run_1', entry: 1 },
    );
    await expect.poll(() => seen.out).toBe('one\ntwo\nthree\nend\n');
    stored.push(entry(1, 'two\nthree\nend'), entry(2, 'missed'), entry(3, 'last'));
    publish({ type: 'entry', entry: entry(3, 'last') });
    await expect.poll(() => seen.out).toBe('one\ntwo\nthree\nend\nmissed\nlast\n');
    publish({ type: 'run', row: runRow({ state: 'ended' }) });
    expect(await running).toBe(0);
    expect(core.hub.subscriptions).toBe(0);
  });

  test('D5: a core that goes with the end of the run is no fault, one that goes before it is status 3; what is stored is read', async () => {
    for (const [state, status] of [
      ['ended', 0],
      ['running', 3],
    ] as const) {
      const stored = [entry(0, 'one')];
      let row = runRow();
      const { context, core, seen } = world({
        'transcript.page': ({ from }: { from: number }) => ({ entries: stored.slice(from), entry_count: 2 }),
        'runs.show': () => ({ run: row, result: null, steers: [] }),
      });
      const running = statusOf(tail.run(context, givenArguments(['run_1'], { follow: true })));
      await expect.poll(() => core.hub.subscriptions).toBe(1);
      row = runRow({ state });
      stored.push(entry(1, 'two'));
      core.hub.close();
      expect([[await running].flat()[0], seen.out]).toEqual([status, 'one\ntwo\n']);
    }
  });

  test('--follow ends when nobody reads it any more, though the run goes on', async () => {
    let unread = false;
    const page = () => ({ entries: [], entry_count: 0 });
    const { context, core, publish, seen } = world({ 'transcript.page': page }, { unread: () => unread });
    const running = tail.run(context, givenArguments(['run_1'], { follow: true }));
    await expect.poll(() => core.hub.subscriptions).toBe(1);
    publish({ type: 'entry', entry: entry(0, 'one') });
    await expect.poll(() => seen.out).toBe('one\n');
    unread = true;
    publish({ type: 'entry', entry: entry(1, 'two') });
    expect(await running).toBe(0);
  });
});
