import { expect, test } from 'vitest';
import { aConversation } from '../testing/fixtures.ts';
import { markOfConversation } from './conversation-item.tsx';

const quiet = { runs: 9, ended: 9, working: 0, needs_you: 0, unseen_failures: 0, failed: 0, stopped: 0, caveats: 0 };
const markOf = (part: Parameters<typeof aConversation>[0]) => markOfConversation(aConversation({ ...quiet, ...part }));

test('a conversation is completed only when all in it is: failures that were seen stay failures', () => {
  expect(markOf({})).toBe('completed');
  expect(markOf({ unseen_failures: 1, failed: 1 })).toBe('failed');
  expect(markOf({ failed: 1 })).toBe('failed');
  expect(markOf({ failed: 1, stopped: 1 })).toBe('failed');
  expect(markOf({ stopped: 1 })).toBe('stopped');
});

test('a conversation whose runs completed with a caveat has the mark of one', () => {
  expect(markOf({ caveats: 1 })).toBe('caveat');
  expect(markOf({ caveats: 9, stopped: 1 })).toBe('stopped');
  expect(markOf({ caveats: 9, failed: 1 })).toBe('failed');
  expect(markOf({ caveats: 1, ended: 8 })).toBe('waiting');
});

test('what is still to come goes before failures that were seen', () => {
  expect(markOf({ failed: 1, ended: 8 })).toBe('waiting');
  expect(markOf({ failed: 1, ended: 8, working: 1 })).toBe('running');
});
