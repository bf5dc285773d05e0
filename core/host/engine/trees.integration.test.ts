import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineLab, delta, end, ended, entry, storedPart, type LabCore } from '../../testing/engine-lab.ts';
import { testReport } from '../../testing/delegation.ts';

let lab: EngineLab;
let core: LabCore;

beforeEach(async () => {
  lab = new EngineLab();
  core = await lab.core({ rowsInMemory: 50 });
});

afterEach(() => lab.close());

/** So many conversations of four ended runs and their set: eleven of them are more than stay in memory. */
async function fill(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, n) => `conv_${(n + 1000).toString(16).padStart(12, '0')}`);
  for (const id of ids) await core.stopped(id, 4);
  await core.engine.settled();
  return ids;
}

const inMemory = (ids: readonly string[]): string[] => ids.filter((id) => core.engine.loaded(id) !== undefined);

describe('conversations in memory are bounded (decision 0008)', () => {
  test('those at rest are let go of, the least recently used first, and read anew as they were', async () => {
    await core.stopped('conv_00000000000a', 3);
    await core.stopped('conv_00000000000b', 3);
    const [a, b] = ['conv_00000000000a', 'conv_00000000000b'].map((id) => storedPart(read(id)));
    const ids = await fill(8);
    core.engine.tree('conv_00000000000a');
    const more = await fill(10);
    expect(inMemory(ids.slice(0, 1))).toEqual([]);
    expect(core.engine.loaded('conv_00000000000b')).toBeUndefined();
    expect(inMemory(more.slice(-4))).toEqual(more.slice(-4));
    expect(storedPart(read('conv_00000000000a'))).toEqual(a);
    expect(storedPart(read('conv_00000000000b'))).toEqual(b);
  });

  test('one with a run that has not ended stays, whatever else is looked at', async () => {
    const run = await core.running();
    const tree = core.engine.loaded(core.conversation);
    await fill(11);
    expect(core.engine.loaded(core.conversation)).toBe(tree);
    core.tell(run, ended());
    await core.engine.settled();
    await core.exit(run);
    await fill(11);
    expect(core.engine.loaded(core.conversation)).toBeUndefined();
  });

  test('one that is only read is let go of again, without a command', async () => {
    const ids = await fill(12);
    for (const id of ids) core.engine.tree(id);
    while (inMemory(ids).length === ids.length) await core.engine.settled().then(() => new Promise(setImmediate));
    expect(inMemory(ids).at(-1)).toBe(ids.at(-1));
    expect(inMemory(ids).length).toBeLessThan(11);
  });

  test('one that was let go of goes on: a set is added, late words of a lost run are shown with their conversation', async () => {
    const run = await core.running();
    core.tell(run, entry(0, 'Half'));
    await core.engine.settled();
    await core.exit(run, { exit: null, proof: { method: 'unknown', reason: 'test' } });
    await fill(11);
    expect(core.engine.loaded(core.conversation)).toBeUndefined();
    core.tell(run, entry(1), delta(1, 0, ' and whole'), end(1), ended());
    await core.engine.settled();
    const told = core.published.flat().filter(({ change }) => change.type === 'entry' && change.entry.entry === 1);
    expect(told.map(({ conversation_id }) => conversation_id)).toEqual([core.conversation]);
    expect(core.tree.runs.get(run)?.outcome).toBe('completed');
    await fill(11);
    expect((await core.dispatch(1)).ok).toBe(true);
    expect(core.tree.sets.size).toBe(2);
  });

  test('R5: what it used on a day counts on, as it was when it was let go of', async () => {
    const run = await core.running();
    const { progress } = testReport();
    core.tell(run, { type: 'progress', progress });
    await core.engine.settled();
    const [day = ''] = core.tree.usage.keys();
    const early = core.engine.dayFigures(day);
    core.tell(run, ended({ progress: { ...progress, tokens: { ...progress.tokens, input: 5000 } } }));
    await core.engine.settled();
    await core.exit(run);
    const spent = core.engine.dayFigures(day);
    expect(spent).not.toEqual(early);
    await fill(11);
    expect(core.engine.loaded(core.conversation)).toBeUndefined();
    expect(core.engine.dayFigures(day)).toEqual(spent);
  });
});

function read(id: string): NonNullable<ReturnType<LabCore['engine']['tree']>> {
  const tree = core.engine.tree(id);
  if (tree === null) throw new Error(`no conversation ${id}`);
  return tree;
}
