import { expect, test } from 'vitest';
import { allEndings } from '../../core/testing/endings.ts';
import { MARK_FACTS, markOf, type Mark } from './status.ts';

const GLYPH: Partial<Record<Mark, string>> = {
  completed: '✓',
  caveat: '⚠',
  failed: '✗',
  timed_out: '✗',
  lost: '✗',
  stopped: '■',
};

test.each(allEndings().map(({ how, ...shown }) => [how, shown] as const))(
  'case 20: the mark of a row in the tree is that of its line on a terminal: %s',
  (_, { row, line }) => {
    const mark = markOf(row);
    expect(line[0]).toBe(GLYPH[mark]);
    // Only what is red has a failure line.
    expect(MARK_FACTS[mark].broken).toBe(row.failure_line !== null);
  },
);
