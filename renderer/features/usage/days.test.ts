import { expect, test } from 'vitest';
import { lastDays, totalsByDay, totalsByProject } from './days.ts';

test('the last days end today, cross months, and have no gap where clocks change', () => {
  expect(lastDays(new Date(2026, 2, 2, 23, 59), 4)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
  expect(new Set(lastDays(new Date(2026, 10, 5), 90)).size).toBe(90);
});

const use = (day: string, project_id: string, cost_usd: number, unknown = false) => ({
  day,
  project_id,
  cost_usd,
  unknown,
  tokens: 10,
});

test('sums by day keep days without use, and say when a price was unknown (R5)', () => {
  const used = [use('2026-03-01', 'a', 1), use('2026-03-01', 'b', 0.5, true)];
  expect(totalsByDay(['2026-03-01', '2026-03-02'], used)).toEqual([
    { day: '2026-03-01', cost_usd: 1.5, tokens: 20, unknown: true },
    { day: '2026-03-02', cost_usd: 0, tokens: 0, unknown: false },
  ]);
  expect(totalsByProject([...used, use('2026-03-02', 'b', 2)]).map(({ project_id }) => project_id)).toEqual(['b', 'a']);
});
