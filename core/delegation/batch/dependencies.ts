import { pick, type LayeredTask, type Sourced } from './layered-task.ts';
import { outputRefs } from './output-refs.ts';
import { listed, quote } from './problem.ts';
import type { ProblemList } from './problem-list.ts';
import { didYouMean } from './suggest.ts';

/** The tasks of a set by id. `existing` are the ids of tasks that the set has already (S8). */
interface Names {
  readonly byId: ReadonlyMap<string, LayeredTask>;
  readonly existing: ReadonlySet<string>;
}

const isKnown = ({ byId, existing }: Names, id: string): boolean => byId.has(id) || existing.has(id);

/** Ids that are there twice; the first of each counts. */
function namesOf(tasks: readonly LayeredTask[], existing: readonly string[], problems: ProblemList): Names {
  const byId = new Map<string, LayeredTask>();
  const taken = new Set(existing);
  for (const task of tasks) {
    const { id } = task.own;
    if (id === undefined) continue;
    const first = byId.get(id);
    if (first === undefined && !taken.has(id)) {
      byId.set(id, task);
      continue;
    }
    const where = first ? `task ${first.index + 1}` : 'a task that is in the set already';
    const message = `the id ${quote(id)} is that of ${where} too`;
    problems.add(task.place, { field: 'id', message, fix: 'Give each task its own id, or none.' });
  }
  return { byId, existing: taken };
}

function reportUnknown(names: Names, { value, place, field }: Sourced<string>, message: string, problems: ProblemList) {
  const known = [...names.byId.keys(), ...names.existing];
  const suggestion = didYouMean(value, known);
  const fix = suggestion ? `Write "${suggestion}".` : `Name the id of a task of this set. Its ids: ${listed(known)}.`;
  problems.add(place, { field, message, fix, suggestion });
}

/** The tasks of this batch that each task waits for. */
function edgesOf(tasks: readonly LayeredTask[], names: Names, problems: ProblemList): Map<LayeredTask, LayeredTask[]> {
  const edges = new Map<LayeredTask, LayeredTask[]>();
  for (const task of tasks) {
    const said = pick(task.layers, 'depends_on');
    const before: LayeredTask[] = [];
    for (const value of new Set(said?.value)) {
      const other = names.byId.get(value);
      if (other) before.push(other);
      else if (said && !names.existing.has(value)) {
        reportUnknown(
          names,
          { ...said, value },
          `depends_on names ${quote(value)}, which no task has as its id`,
          problems,
        );
      }
    }
    edges.set(task, before);
  }
  return edges;
}

/** Tasks in an order in which each comes after those it waits for; circles are reported and break the order. */
function ordered(edges: Map<LayeredTask, LayeredTask[]>, problems: ProblemList): LayeredTask[] {
  const order: LayeredTask[] = [];
  const state = new Map<LayeredTask, 'open' | 'done'>();
  const path: LayeredTask[] = [];
  const visit = (task: LayeredTask): void => {
    if (state.get(task) === 'done') return;
    if (state.get(task) === 'open') return reportCircle([...path.slice(path.indexOf(task)), task], problems);
    state.set(task, 'open');
    path.push(task);
    for (const before of edges.get(task) ?? []) visit(before);
    path.pop();
    state.set(task, 'done');
    order.push(task);
  };
  for (const task of edges.keys()) visit(task);
  return order;
}

function reportCircle(circle: readonly LayeredTask[], problems: ProblemList): void {
  const [first] = circle;
  if (first === undefined) return;
  const round = listed(circle.map((task) => task.own.id ?? `task ${task.index + 1}`)).replace(/, /g, ' → ');
  const message = `depends_on goes round in a circle (${round}), so that none of them could start`;
  problems.add(first.place, { field: 'depends_on', message, fix: 'Take one of these dependencies out.' });
}

/** All tasks that each task waits for, also through others, as bits by task index: sets of a thousand stay cheap. */
function ancestors(order: readonly LayeredTask[], edges: Map<LayeredTask, LayeredTask[]>): Map<LayeredTask, bigint> {
  const all = new Map<LayeredTask, bigint>();
  for (const task of order) {
    const before = edges.get(task) ?? [];
    const bits = before.reduce((sum, one) => sum | (1n << BigInt(one.index)) | (all.get(one) ?? 0n), 0n);
    all.set(task, bits);
  }
  return all;
}

interface NamedOutput extends Sourced<string> {
  readonly task: LayeredTask;
  readonly code: boolean;
}

function namedOutputs(task: LayeredTask): NamedOutput[] {
  const texts: (Sourced<string> | null)[] = [
    task.own.goal === undefined ? null : { value: task.own.goal, place: task.place, field: 'goal' },
    pick(task.layers, 'context'),
  ];
  return texts.flatMap((text) => {
    if (text === null) return [];
    const { plain, code } = outputRefs(text.value);
    const named = (ids: Set<string>, inCode: boolean) =>
      [...ids].map((value) => ({ ...text, value, task, code: inCode }));
    return [...named(plain, false), ...named(code, true)];
  });
}

/** True when the task with the id has ended before `task` starts. */
function waitsFor(task: LayeredTask, id: string, names: Names, before: Map<LayeredTask, bigint>): boolean {
  if (pick(task.layers, 'depends_on')?.value.includes(id)) return true;
  const other = names.byId.get(id);
  return other !== undefined && ((before.get(task) ?? 0n) & (1n << BigInt(other.index))) !== 0n;
}

/** `{outputs.<id>}` must name a task that has ended by then (R10). */
function checkOutput(output: NamedOutput, names: Names, before: Map<LayeredTask, bigint>, problems: ProblemList): void {
  const { value: id, task, field, place } = output;
  const marker = `{outputs.${id}}`;
  if (!isKnown(names, id)) {
    const message = `the ${field} names ${marker}, and no task has the id ${quote(id)}`;
    if (!output.code) reportUnknown(names, output, message, problems);
  } else if (names.byId.get(id) === task) {
    problems.add(task.place, { field, message: `the ${field} names its own output`, fix: `Take ${marker} out.` });
  } else if (!waitsFor(task, id, names, before)) {
    const message = `the ${field} names ${marker} without waiting for it`;
    problems.add(place, { field, message, fix: `Add "${id}" to depends_on.` });
  }
}

/** The rules between tasks: ids, `depends_on`, `{outputs.<id>}` (S5, R10). */
export function checkDependencies(
  tasks: readonly LayeredTask[],
  existing: readonly string[],
  problems: ProblemList,
): void {
  const names = namesOf(tasks, existing, problems);
  const edges = edgesOf(tasks, names, problems);
  const order = ordered(edges, problems);
  const outputs = tasks.flatMap(namedOutputs);
  if (outputs.length === 0) return;
  const before = ancestors(order, edges);
  for (const output of outputs) checkOutput(output, names, before, problems);
}
