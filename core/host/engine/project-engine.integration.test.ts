import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { err, ok } from '../../kit/result.ts';
import type { WorkerEvent } from '../../protocol/frames.ts';
import { readEntries } from '../../registry/store/entries.ts';
import { EngineLab, delta, ended, entry, type LabCore } from '../../testing/engine-lab.ts';
import { manualClock } from '../../testing/manual-clock.ts';

let lab: EngineLab;
let core: LabCore;

beforeEach(async () => {
  lab = new EngineLab();
  core = await lab.core();
});

afterEach(() => lab.close());

describe('S7: the same command twice acts once', () => {
  test('one after the other, at once, and by another core later', async () => {
    const first = await core.dispatch(2, 'same');
    const [second, third] = await Promise.all([core.dispatch(2, 'same'), core.dispatch(3, 'same')]);
    const later = await (await lab.core()).dispatch(2, 'same');
    expect([second, third, later]).toEqual([first, first, first]);
    expect([core.count('sets'), core.count('runs'), core.count('receipts')]).toEqual([1, 2, 1]);
  });

  test('two of a kind in one transaction make one set, in one new conversation', async () => {
    const answers = await Promise.all([core.dispatch(2, 'same'), core.dispatch(2, 'same')]);
    expect(answers[0]).toEqual(answers[1]);
    expect([core.count('sets'), core.count('conversations')]).toEqual([1, 1]);
  });
});

describe('D3: one transaction', () => {
  test('commands are carried out in their order, with events, rows and receipts together', async () => {
    const answers = await Promise.all([core.dispatch(1), core.dispatch(2), core.dispatch(1)]);
    expect(answers.map((answer) => answer.ok && answer.value.set)).toEqual([1, 2, 3]);
    expect(core.rows<{ type: string }>('SELECT type FROM events ORDER BY seq').map(({ type }) => type)).toEqual([
      'conversation_created',
      'set_dispatched',
      'run_queued',
      'set_dispatched',
      'run_queued',
      'run_queued',
      'set_dispatched',
      'run_queued',
    ]);
    expect(core.published).toHaveLength(1);
  });

  test('all that one commit writes has one moment: a conversation, its set, its runs and their events; an attempt and its event', async () => {
    let now = 1_000;
    const ticking = await lab.core({ clock: { ...manualClock(), now: () => (now += 1) } });
    await ticking.dispatch(3);
    const at = ticking.rows<{ at: number }>('SELECT DISTINCT at FROM events');
    const runs = [...ticking.tree.runs.values()].map(({ queued_at }) => queued_at);
    const sets = [...ticking.tree.sets.values()].map(({ created_at }) => created_at);
    const { created_at, updated_at } = ticking.tree.conversation;
    expect(new Set([...runs, ...sets, created_at, updated_at])).toEqual(new Set(at.map((row) => row.at)));
    expect(at).toHaveLength(1);
    await ticking.start([...ticking.tree.runs.keys()][0] ?? '');
    const sql = "SELECT a.started_at, e.at FROM attempts a, events e WHERE e.type = 'attempt_started'";
    const [attempt] = ticking.rows<{ started_at: number; at: number }>(sql);
    expect(attempt?.started_at).toBe(attempt?.at);
  });

  test('clients are told, and effects performed, after the commit only', async () => {
    core.failWith('storage_full');
    await core.dispatch(1);
    expect([core.published, core.effects]).toEqual([[], []]);
    await core.dispatch(1);
    expect(core.effects.map(({ effect }) => effect.type)).toEqual(['ask_place']);
  });

  test('a refused command changes nothing, and begins no conversation', async () => {
    const refused = await core.engine.command(
      'conv_000000000001',
      () => err({ code: 'not_allowed' as const, message: 'No.' }),
      { create: { ...core.firstRow, title: 'x' } },
    );
    expect(refused).toEqual(err({ code: 'not_allowed', message: 'No.' }));
    expect([core.count('conversations'), core.count('events')]).toEqual([0, 0]);
    expect(core.engine.tree('conv_000000000001')).toBeNull();
  });

  test('a command on an unknown conversation is refused', async () => {
    const answer = await core.engine.command('conv_ffffffffffff', () => ok(null));
    expect(answer).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  test('a removed conversation is gone, with everything of it', async () => {
    const run = await core.running();
    core.tell(run, entry(0, 'x'), ended());
    await core.exit(run);
    await core.engine.command(core.conversation, (_, flush) => {
      flush.removed.push(core.conversation);
      return ok(null);
    });
    expect(core.engine.tree(core.conversation)).toBeNull();
    const tables = ['conversations', 'sets', 'runs', 'entries', 'chunks', 'events'] as const;
    await expect.poll(() => tables.map((table) => core.count(table))).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

describe('D4: events of workers', () => {
  test('they are acknowledged after their commit, cumulatively', async () => {
    const run = await core.running();
    core.failWith('storage_full');
    core.tell(
      run,
      { type: 'activity', text: 'a' },
      { type: 'state', state: 'waiting', reason: 'rate_limit', until: 1 },
    );
    await core.engine.settled();
    expect(core.acknowledged).toEqual([]);
    await core.engine.settled();
    expect(core.acknowledged).toEqual([{ attempt_id: core.attemptOf(run), seq: 2 }]);
    expect(core.rows('SELECT committed_seq FROM attempts')).toEqual([{ committed_seq: 2 }]);
  });

  test('T7: words of an attempt that is not the run’s any more are acknowledged and change nothing', async () => {
    const run = await core.running();
    const before = core.tree.runs.get(run);
    const old = { conversation_id: core.conversation, run_id: run, attempt_id: 'att_ffffffffffff' };
    core.engine.event({ ...old, seq: 7, event: { type: 'state', state: 'waiting', reason: 'user', until: null } });
    core.engine.event({ ...old, seq: 8, event: entry(0, 'late') });
    await core.engine.settled();
    expect(core.tree.runs.get(run)).toEqual(before);
    expect(core.count('entries')).toBe(0);
    expect(core.acknowledged.at(-1)).toEqual({ attempt_id: 'att_ffffffffffff', seq: 8 });
  });

  test('T7: a run is shown ended only with its last entry: both come in one transaction, the text first', async () => {
    const run = await core.running();
    core.tell(run, entry(0, 'Hel'), delta(0, 3, 'lo'), ended());
    await core.exit(run);
    expect(readEntries(core.engine.db, run, 0, 9)).toMatchObject([{ text: 'Hello', ended: true }]);
    const kinds = core.published.flat().map(({ change }) => change.type);
    const shown = core.published
      .flat()
      .findIndex(({ change }) => change.type === 'run' && change.row.state === 'ended');
    expect(kinds.indexOf('entry')).toBeLessThan(shown);
    expect(kinds.lastIndexOf('entry')).toBeLessThan(shown);
  });

  test('text waits 25 ms for more of its kind, much text and everything else does not', async () => {
    const clock = manualClock();
    const timed = await lab.core({ clock });
    const run = await timed.running();
    timed.tell(run, entry(0, 'x'));
    await new Promise(setImmediate);
    expect(timed.count('entries')).toBe(0);
    clock.advance(25);
    await timed.engine.settled();
    expect(timed.count('entries')).toBe(1);
    timed.tell(run, delta(0, 1, 'y'.repeat(70_000)));
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(timed.count('chunks')).toBe(2);
  });
});

describe('a bug in one decision costs that one alone', () => {
  test('a command that throws is refused as our fault; those beside it are carried out', async () => {
    await core.dispatch(1);
    const answers = await Promise.all([
      core.dispatch(1),
      core.engine.command(core.conversation, (step) => {
        step.emit({ type: 'conversation_changed', v: 1, conversation_id: core.conversation, title: 'half' });
        throw new Error('bug');
      }),
      core.dispatch(2),
    ]);
    expect(answers.map((answer) => (answer.ok ? 'done' : answer.error.code))).toEqual(['done', 'internal', 'done']);
    expect(core.tree.conversation.title).toBe('Test');
    expect([core.count('sets'), core.count('runs')]).toEqual([3, 4]);
    expect(core.logged).toEqual(['a decision could not be carried out']);
  });

  test('one whose rows cannot be written, too; events beside it are acknowledged', async () => {
    const run = await core.running();
    core.tell(run, { type: 'activity', text: 'x' });
    const broken = core.engine.command(core.conversation, (_, flush) => {
      const attempt = {
        ...flush.attempts.get('none'),
        attempt_id: 'att_x',
        run_id: 'run_unknown',
        n: 1,
        state: 'started',
      } as const;
      flush.attempts.set('att_x', {
        ...attempt,
        started_at: 1,
        ended_at: null,
        token_hash: '',
        secret_hash: null,
        pid: null,
        pid_started: null,
        committed_seq: 0,
      });
      return ok(null);
    });
    const fine = core.dispatch(1);
    expect(await broken).toMatchObject({ ok: false, error: { code: 'internal' } });
    expect(await fine).toMatchObject({ ok: true });
    await core.engine.settled();
    expect(core.tree.runs.get(run)?.activity).toBe('x');
    expect(core.acknowledged).toEqual([{ attempt_id: core.attemptOf(run), seq: 1 }]);
  });

  test('an event that cannot be decided on is acknowledged, so that it does not come for ever', async () => {
    const run = await core.running();
    core.tell(run, { type: 'progress' } as WorkerEvent, { type: 'activity', text: 'after' });
    await core.engine.settled();
    expect(core.acknowledged.at(-1)?.seq).toBe(2);
    expect(core.tree.runs.get(run)?.activity).toBe('after');
  });
});
