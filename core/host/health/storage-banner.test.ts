import { expect, test } from 'vitest';
import { StorageBanner } from './storage-banner.ts';

test('D6: one trouble is told as it is, several with their number, the same words once; told of only when it changes', () => {
  const told: (string | null)[] = [];
  const banner: StorageBanner = new StorageBanner(() => told.push(banner.text));
  banner.tell('/a', 'The disk is full.');
  banner.tell('/b', 'The disk is full.');
  banner.tell('/c', 'Another program holds a lock.');
  banner.tell('/a', null);
  banner.tell('/b', null);
  banner.tell('/c', null);
  banner.tell('/c', null);
  expect(told).toEqual([
    'The disk is full.',
    'The disk is full. 1 more database has trouble: espalier doctor lists all.',
    'Another program holds a lock.',
    null,
  ]);
});
