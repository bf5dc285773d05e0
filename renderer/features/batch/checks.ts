import { startStrings } from '../../shared/start-strings.ts';
import { afterOf } from './after.ts';
import type { Draft } from './draft.ts';
import { circleIn } from './order-graph.ts';
import type { Problems } from './problems.ts';
import { effective, type Effective, type World } from './world.ts';

const words = startStrings.batch.checks;

/** One line under *Checked*. */
export interface CheckLine {
  readonly id: string;
  readonly tone: 'ok' | 'warn' | 'bad';
  readonly text: string;
}

function agentLines(runs: readonly Effective[]): CheckLine[] {
  const known = new Set(runs.flatMap(({ definition }) => definition?.id ?? []));
  const missing = runs.filter(({ definition }) => definition === null).length;
  const lines: CheckLine[] = [];
  if (known.size > 0) lines.push({ id: 'agents', tone: 'ok', text: words.agents(known.size) });
  if (missing > 0) lines.push({ id: 'unknown', tone: 'bad', text: words.unknownAgents(missing) });
  return lines;
}

function keyLines(runs: readonly Effective[], world: World): CheckLine[] {
  const used = new Set(
    runs.flatMap(({ model, definition }) => (definition?.runner === 'builtin' ? (model ?? []) : [])),
  );
  const locked = world.models.filter(({ ref, has_key }) => used.has(ref) && !has_key).map(({ ref }) => ref);
  return locked.length === 0 ? [] : [{ id: 'keys', tone: 'warn', text: words.noKey(locked) }];
}

/** What has been looked at, and how it came out. `checked`: the core has looked at the batch as it is. */
export function checkLines(
  draft: Draft,
  problems: Problems,
  world: World,
  { git, checked }: { readonly git: boolean; readonly checked: boolean },
): readonly CheckLine[] {
  if (draft.rows.length === 0) return [];
  const waits = afterOf(draft);
  const runs = draft.rows.map(({ task }) => effective(task, draft.head, world));
  const lines: CheckLine[] = [];
  if (waits.some(({ places }) => places.length > 0)) {
    const circle = circleIn(waits.map(({ places }) => places)) !== null;
    lines.push({ id: 'circle', tone: circle ? 'bad' : 'ok', text: circle ? words.circle : words.noCircle });
  }
  lines.push(...agentLines(runs), ...keyLines(runs, world));
  const wrong = draft.rows.filter(
    ({ key }, place) => problems.ofRow.has(key) && runs[place]?.definition !== null,
  ).length;
  if (wrong > 0) lines.push({ id: 'wrong', tone: 'bad', text: words.wrongTasks(wrong) });
  const bad = problems.whole.length + problems.ofRow.size > 0 || lines.some(({ tone }) => tone === 'bad');
  if (checked && !bad) lines.push({ id: 'right', tone: 'ok', text: words.right(draft.rows.length) });
  const sharing = runs.filter((run) => run.mayWrite).length;
  if (git && sharing > 1) lines.push({ id: 'sharing', tone: 'warn', text: words.sharing(sharing) });
  return lines;
}
