import { startStrings } from '../../shared/start-strings.ts';
import { afterOf } from './after.ts';
import type { Draft } from './draft.ts';
import { circleIn } from './order-graph.ts';
import type { Problems } from './problems.ts';
import { objectOf, textOf } from './task-fields.ts';
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

/** A task may write when its permission lets it; a program may do anything. */
function mayWrite(draft: Draft, world: World, place: number, run: Effective | undefined): boolean {
  const task = draft.rows[place]?.task ?? {};
  const defaults = objectOf(draft.head, 'defaults');
  const permission =
    textOf(task, 'permission') || textOf(defaults, 'permission') || run?.definition?.permission || world.permission;
  const isolation = textOf(task, 'isolation') || textOf(defaults, 'isolation') || run?.definition?.isolation || 'none';
  return permission !== 'plan' && isolation !== 'worktree';
}

/** Tasks that may change the same folder at the same time. */
export function sharingTasks(draft: Draft, world: World): number {
  const runs = draft.rows.map(({ task }) => effective(task, draft.head, world));
  return runs.filter((run, place) => mayWrite(draft, world, place, run)).length;
}

/** What has been looked at, and how it came out. `git` tells whether the project is one. */
export function checkLines(draft: Draft, problems: Problems, world: World, git: boolean): readonly CheckLine[] {
  if (draft.rows.length === 0) return [];
  const waits = afterOf(draft);
  const runs = draft.rows.map(({ task }) => effective(task, draft.head, world));
  const lines: CheckLine[] = [];
  if (waits.some(({ places }) => places.length > 0)) {
    const circle = circleIn(waits.map(({ places }) => places)) !== null;
    lines.push({ id: 'circle', tone: circle ? 'bad' : 'ok', text: circle ? words.circle : words.noCircle });
  }
  lines.push(...agentLines(runs), ...keyLines(runs, world));
  const wrong = problems.ofRow.size;
  if (wrong > 0) lines.push({ id: 'wrong', tone: 'bad', text: words.wrongTasks(wrong) });
  else if (problems.whole.length === 0) lines.push({ id: 'right', tone: 'ok', text: words.right(draft.rows.length) });
  const sharing = sharingTasks(draft, world);
  if (git && sharing > 1) lines.push({ id: 'sharing', tone: 'warn', text: words.sharing(sharing) });
  return lines;
}
