import { expect, test } from 'vitest';
import type { GcItem } from '../../core/protocol/gc.ts';
import { createFakeContext, givenArguments } from '../testing/fake-context.ts';
import { run } from './gc.ts';

const ITEM: GcItem = {
  kind: 'output',
  project_id: 'proj_1',
  what: '/home/of/espalier/projects/proj_1/attempts/a/spill',
  bytes: 3 * 1024 * 1024,
  reason: 'Its attempt ended, 31 days ago.',
  done: false,
  error: null,
};

function world(items: GcItem[]) {
  const asked: unknown[] = [];
  const gc = async (input: { dry_run: boolean }) => {
    asked.push(input);
    return { dry_run: input.dry_run, items, bytes: items.reduce((sum, { bytes }) => sum + bytes, 0) };
  };
  return { asked, ...createFakeContext({ client: { storage: { gc } } as never }) };
}

test('gc --dry-run lists what would go, with size and reason, and asks the core to delete nothing', async () => {
  const { context, seen, asked } = world([ITEM]);
  expect(await run(context, givenArguments([], { 'dry-run': true }))).toBe(0);
  expect(asked).toEqual([{ dry_run: true }]);
  expect(seen.out).toBe(
    `–  output  3.0 MiB  ${ITEM.what}\n    Its attempt ended, 31 days ago.\n1 would go, 3.0 MiB.\n`,
  );
});

test('gc says what went and why something did not; then its status is 1', async () => {
  const { context, seen, asked } = world([
    { ...ITEM, done: true },
    { ...ITEM, kind: 'worktree', bytes: 10, error: 'It is used again.' },
  ]);
  expect(await run(context, givenArguments([]))).toBe(1);
  expect(asked).toEqual([{ dry_run: false }]);
  expect(seen.out).toContain('It is used again.');
  expect(seen.out).toContain('1 of 2 went');
});

test('gc --json prints the report as the API answers it', async () => {
  const { context, seen } = world([]);
  await run(context, givenArguments([], { json: true }));
  expect(JSON.parse(seen.out)).toEqual({ dry_run: false, items: [], bytes: 0 });
});
