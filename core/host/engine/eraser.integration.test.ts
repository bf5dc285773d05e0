import { afterEach, beforeEach, expect, test } from 'vitest';
import { findConversation, readConversations } from '../../registry/store/read-rows.ts';
import { ok } from '../../kit/result.ts';
import { EngineLab, end, ended, entry, type LabCore } from '../../testing/engine-lab.ts';
import { manualClock, type ManualClock } from '../../testing/manual-clock.ts';

const WORDS = 'apples and pears '.repeat(500);
const OTHER = 'conv_00000000000a';

let lab: EngineLab;
let clock: ManualClock;

beforeEach(() => {
  lab = new EngineLab();
  clock = manualClock();
});

afterEach(() => lab.close());

/** A conversation of a run with so many entries, and another one. */
async function filled(entries: number): Promise<{ core: LabCore; run: string }> {
  const core = await lab.core({ clock });
  const run = await core.running();
  for (let n = 0; n < entries; n += 1) core.tell(run, entry(n, WORDS), end(n));
  core.tell(run, ended());
  await core.engine.settled();
  await core.exit(run);
  await core.stopped(OTHER, 2);
  await slices(core, 1);
  return { core, run };
}

async function remove(core: LabCore): Promise<void> {
  const removed = await core.engine.command(core.conversation, (_, flush) => {
    flush.removed.push(core.conversation);
    return ok(null);
  });
  expect(removed.ok).toBe(true);
}

/** Lets so many slices be written. */
async function slices(core: LabCore, count: number, ms = 25): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    clock.advance(ms);
    await core.engine.settled();
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  }
}

test('a long conversation is gone at once, its rows go by and by, and its pages are given back', async () => {
  const { core, run } = await filled(1000);
  const pages = (): number => core.rows<{ page_count: number }>('PRAGMA page_count')[0]?.page_count ?? 0;
  const before = pages();
  await remove(core);
  expect(core.engine.tree(core.conversation)).toBeNull();
  expect(findConversation(core.engine.db, run)).toBeNull();
  expect(readConversations(core.engine.db).map(({ conversation_id }) => conversation_id)).toEqual([OTHER]);
  expect((await core.dispatch(1)).ok).toBe(false);
  const counts: number[] = [core.count('entries')];
  while ((counts.at(-1) ?? 0) > 0 && counts.length < 50) {
    await slices(core, 1);
    counts.push(core.count('entries'));
  }
  expect(counts[0]).toBe(1000);
  // No transaction takes more than a slice.
  expect(counts.length).toBeGreaterThan(4);
  for (const [n, count] of counts.entries()) expect((counts[n - 1] ?? 1000) - count).toBeLessThanOrEqual(300);
  await slices(core, 40);
  expect([core.count('runs'), core.count('conversations'), core.count('chunks')]).toEqual([2, 1, 0]);
  expect(core.rows('SELECT 1 FROM erased')).toEqual([]);
  expect(core.rows('SELECT 1 FROM search_docs WHERE run_id = ?', run)).toEqual([]);
  expect(pages()).toBeLessThan(before * 0.6);
  expect(core.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expect(core.engine.tree(OTHER)?.runs.size).toBe(2);
});

test('a core that ends meanwhile leaves the rest to the next one; it is gone for that one too', async () => {
  const { core, run } = await filled(700);
  await remove(core);
  await slices(core, 1);
  const left = core.count('entries');
  expect(left).toBeGreaterThan(0);
  const next = await lab.core({ clock });
  expect(next.engine.tree(core.conversation)).toBeNull();
  expect(findConversation(next.engine.db, run)).toBeNull();
  await core.engine.close();
  await slices(next, 30);
  expect([next.count('entries'), next.count('conversations')]).toEqual([0, 1]);
});

test('D6: a disk that takes nothing makes it wait, and it goes on', async () => {
  const { core } = await filled(400);
  await remove(core);
  core.failWith('storage_full');
  await slices(core, 1);
  expect(core.count('entries')).toBe(400);
  await slices(core, 3);
  expect(core.count('entries')).toBe(400);
  await slices(core, 1, 5000);
  await slices(core, 10);
  expect(core.count('entries')).toBe(0);
});

test('one that goes while another is being erased is erased too', async () => {
  const { core } = await filled(400);
  await remove(core);
  await slices(core, 1);
  await core.engine.command(OTHER, (_, flush) => {
    flush.removed.push(OTHER);
    return ok(null);
  });
  await slices(core, 30);
  expect(core.count('conversations')).toBe(0);
});
