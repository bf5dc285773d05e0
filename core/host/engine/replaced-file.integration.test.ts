import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEntries } from '../../registry/store/entries.ts';
import { delta, end, EngineLab, entry, type LabCore } from '../../testing/engine-lab.ts';
import { value } from '../../testing/core-lab.ts';

let lab: EngineLab;
let core: LabCore;

beforeEach(async () => {
  lab = new EngineLab();
  core = await lab.core();
});

afterEach(() => lab.close());

/** Settles until everything that was taken in is stored. */
async function stored(): Promise<void> {
  do await core.engine.settled();
  while (core.troubles.at(-1) !== null && core.troubles.length > 0);
}

describe('D6: the database of a project is replaced while it is open', () => {
  test('moved away and put back → refused meanwhile, then everything that came is stored once, in order, and clients keep their rows', async () => {
    const run = await core.running();
    core.tell(run, entry(0, 'be'));
    await core.engine.settled();
    renameSync(lab.path, `${lab.path}.away`);
    core.tell(run, delta(0, 2, 'fore '));
    expect(await core.dispatch(1)).toMatchObject({ ok: false, error: { code: 'storage' } });
    core.tell(run, delta(0, 7, 'and after'), end(0));
    await core.engine.settled();
    // Nothing was made in its place.
    expect(existsSync(lab.path)).toBe(false);
    const acknowledged = core.acknowledged.length;
    renameSync(`${lab.path}.away`, lab.path);
    await stored();
    expect(core.acknowledged.length).toBeGreaterThan(acknowledged);
    expect(readEntries(core.engine.db, run, 0, 9)).toMatchObject([{ text: 'before and after', ended: true }]);
    expect(core.troubles.filter((code) => code !== 'storage_replaced')).toEqual([null]);
    expect(core.replaced).toBe(0);
    value(await core.dispatch(1));
    expect(core.count('sets')).toBe(2);
  });

  test('a copy that lacks what was committed since → taken for another file: memory is dropped, and the host is told', async () => {
    const run = await core.running();
    core.tell(run, entry(0, 'in the backup'), end(0));
    await core.engine.settled();
    const older = await lab.backup();
    core.tell(run, entry(1, 'not in the backup'));
    await core.engine.settled();
    renameSync(lab.path, `${lab.path}.away`);
    copyFileSync(older, lab.path);
    core.tell(run, delta(1, 17, ', nor this'));
    // A command looks at the file itself, however short ago the last look was.
    expect(await core.dispatch(1)).toMatchObject({ ok: false, error: { code: 'storage' } });
    await stored();
    expect(core.replaced).toBe(1);
    expect(readEntries(core.engine.db, run, 0, 9)).toMatchObject([{ text: 'in the backup' }]);
    value(await core.dispatch(1));
    expect(core.count('sets')).toBe(2);
  });

  test('deleted → refused in words that say what to do, nothing acknowledged, no empty file in its place; a backup is taken up', async () => {
    const run = await core.running();
    await core.engine.settled();
    const whole = await lab.backup();
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${lab.path}${suffix}`, { force: true });
    const acknowledged = core.acknowledged.length;
    core.tell(run, { type: 'activity', text: 'into nothing' });
    const refused = await core.dispatch(1);
    expect(refused).toMatchObject({ ok: false, error: { code: 'storage' } });
    expect(refused.ok ? '' : refused.error.message).toContain('Put it back, or a backup in its place');
    await core.engine.settled();
    expect([core.acknowledged.length, existsSync(lab.path)]).toEqual([acknowledged, false]);
    copyFileSync(whole, lab.path);
    await stored();
    expect(core.replaced).toBe(0);
    expect(core.tree.runs.get(run)?.activity).toBe('into nothing');
  });
});

describe('D6: a malformed row', () => {
  test('of one conversation is refused in plain words and holds up no other', async () => {
    const run = await core.running();
    await lab.asNewer((db) => {
      db.run('UPDATE runs SET row = \'{"run_id":\' WHERE run_id = ?', run);
    });
    const again = await lab.core();
    const refused = await again.dispatch(1);
    expect(refused).toMatchObject({ ok: false, error: { code: 'storage' } });
    expect(refused.ok ? '' : refused.error.message).toMatch(/stored conversation is damaged/);
    void again.engine.fact(again.conversation, () => undefined);
    const other = { ...again.firstRow, conversation_id: 'conv_000000000abc' };
    const created = await again.engine.command(other.conversation_id, () => ({ ok: true as const, value: 1 }), {
      create: other,
    });
    expect(created).toEqual({ ok: true, value: 1 });
  });
});
