import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newRun } from '../../delegation/decide-dispatch.ts';
import { decideSteer } from '../../delegation/decide-steer.ts';
import { ok } from '../../kit/result.ts';
import { countEntries, readEntries, readOpenEntries } from '../../registry/store/entries.ts';
import { testTask } from '../../testing/delegation.ts';
import { EngineLab, delta, end, entry, type LabCore } from '../../testing/engine-lab.ts';

let lab: EngineLab;
let core: LabCore;

beforeEach(async () => {
  lab = new EngineLab();
  core = await lab.core();
});

afterEach(() => lab.close());

describe('Transcripts', () => {
  test('running text is appended as chunks, one for each commit, and merged when its entry ends', async () => {
    const run = await core.running();
    core.tell(run, entry(0, 'a'));
    await core.engine.settled();
    for (const [offset, text] of [
      [1, 'b'],
      [2, 'cd'],
      [4, 'e'],
    ] as const) {
      core.tell(run, delta(0, offset, text));
      await core.engine.settled();
    }
    expect(core.rows('SELECT offset, text FROM chunks ORDER BY offset')).toEqual([
      { offset: 0, text: 'a' },
      { offset: 1, text: 'b' },
      { offset: 2, text: 'cd' },
      { offset: 4, text: 'e' },
    ]);
    expect(readEntries(core.engine.db, run, 0, 9)).toMatchObject([{ text: 'abcde', ended: false }]);
    core.tell(run, end(0));
    await core.engine.settled();
    expect(core.count('chunks')).toBe(0);
    expect(readEntries(core.engine.db, run, 0, 9)).toMatchObject([{ text: 'abcde', ended: true }]);
    expect(
      core.published.flat().flatMap(({ change }) => (change.type === 'delta' ? [[change.offset, change.text]] : [])),
    ).toEqual([
      [1, 'b'],
      [2, 'cd'],
      [4, 'e'],
    ]);
  });

  test('D4: what comes twice is in it once; a text at the end replaces what was appended', async () => {
    const run = await core.running();
    core.tell(
      run,
      entry(0, 'abc'),
      entry(0, 'abc'),
      delta(0, 1, 'bcde'),
      delta(0, 3, 'de'),
      entry(1, 'x'),
      end(1, 'whole'),
      end(1, 'late'),
    );
    await core.engine.settled();
    expect(readEntries(core.engine.db, run, 0, 9)).toMatchObject([
      { text: 'abcde', ended: false },
      { text: 'whole', ended: true },
    ]);
  });

  test('a character that comes in two halves is stored whole', async () => {
    const run = await core.running();
    const [high = '', low = ''] = ['🌳'.slice(0, 1), '🌳'.slice(1)];
    core.tell(run, entry(0, `tree ${high}`));
    await core.engine.settled();
    core.tell(run, delta(0, 6, `${low}!`));
    await core.engine.settled();
    expect(readEntries(core.engine.db, run, 0, 1)[0]?.text).toBe('tree 🌳!');
    const shown = core.published.flat().flatMap(({ change }) => (change.type === 'delta' ? [change.text] : []));
    expect(shown).toEqual(['🌳!']);
    core.tell(run, end(0));
    await core.engine.settled();
    expect(readEntries(core.engine.db, run, 0, 1)[0]?.text).toBe('tree 🌳!');
  });

  test('D5: after a crash an open entry goes on where it was stored', async () => {
    const run = await core.running();
    core.tell(run, entry(0, 'Hello '));
    await core.engine.settled();
    core.tell(run, delta(0, 6, 'lost with the core'));
    const next = await lab.core();
    for (const open of readOpenEntries(next.engine.db, run)) next.engine.transcripts.adopt(open);
    next.tell(run, delta(0, 6, 'world'), end(0));
    await next.engine.settled();
    expect(readEntries(next.engine.db, run, 0, 1)).toMatchObject([{ text: 'Hello world', ended: true }]);
  });

  test('T1: the next attempt of a lead writes on below what the earlier one has written', async () => {
    const lead = await core.engine.command(
      core.conversation,
      (step) => {
        const run = newRun(step, 'proj_000000000001', testTask(), {
          set: null,
          index: null,
          parent: null,
          retryOf: null,
        });
        step.queue(run, testTask());
        return ok(run.run_id);
      },
      { create: core.firstRow },
    );
    const run = lead.ok ? lead.value : '';
    await core.start(run);
    core.tell(run, entry(0, 'first'), end(0), entry(1, 'open'), { type: 'answered', answer: 'a', session: { v: 1 } });
    await core.exit(run);
    await core.engine.command(core.conversation, (step) => decideSteer(step, run, 'follow_up', 'Go on'));
    await core.start(run);
    core.tell(run, entry(0, 'second'), end(0));
    await core.engine.settled();
    expect(
      readEntries(core.engine.db, run, 0, 9).map(({ entry: n, text, ended: isEnded }) => [n, text, isEnded]),
    ).toEqual([
      [0, 'first', true],
      [1, 'open', true],
      [2, 'second', true],
    ]);
    expect(countEntries(core.engine.db, run)).toBe(3);
  });
});
