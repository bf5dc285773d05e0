import { byOpening } from '../../../core/protocol/order.ts';
import type { AskRow, ProjectRow } from '../../../core/protocol/rows.ts';

/** Asks of one project, or of all; the order stays. */
export function ofProject(asks: readonly AskRow[], project: string | null): readonly AskRow[] {
  return project === null ? asks : asks.filter((ask) => ask.project_id === project);
}

/** Projects that something asks in, by name. */
export function askingProjects(
  asks: readonly AskRow[],
  projects: readonly ProjectRow[],
): readonly Pick<ProjectRow, 'project_id' | 'name'>[] {
  const ids = new Set(asks.map((ask) => ask.project_id));
  return projects.filter(({ project_id }) => ids.has(project_id)).sort((a, b) => a.name.localeCompare(b.name));
}

/** The ask to look at: the wanted one if it is open, else the one that took its place, else the oldest. */
export function focusedAsk(asks: readonly AskRow[], wanted: string | null, place: number): AskRow | undefined {
  return asks.find((ask) => ask.ask_id === wanted) ?? asks[Math.min(place, asks.length - 1)];
}

/** The ask `step` places further, staying inside. */
export function steppedAsk(asks: readonly AskRow[], current: string | undefined, step: 1 | -1): string | null {
  const place = asks.findIndex((ask) => ask.ask_id === current);
  return asks[Math.min(asks.length - 1, Math.max(0, place + step))]?.ask_id ?? null;
}

/** When an ask was answered, epoch ms; of one that an older build stored only the asking is known. */
export function answeredAt({ settled_at, opened_at }: AskRow): number {
  return settled_at ?? opened_at;
}

/** Asks that were settled on the day of `now`, latest first. */
export function answeredToday(asks: Iterable<AskRow>, now: number): readonly AskRow[] {
  const day = new Date(now).setHours(0, 0, 0, 0);
  return [...asks]
    .filter((ask) => ask.state === 'answered' && answeredAt(ask) >= day)
    .sort((a, b) => answeredAt(b) - answeredAt(a) || byOpening(b, a));
}
