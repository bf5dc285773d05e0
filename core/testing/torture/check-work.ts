import { existsSync, readFileSync } from 'node:fs';
import type { RequestLog } from '../../scripted-model/request-log.ts';
import type { Findings } from './findings.ts';
import type { StoredFacts, StoredRun } from './stored-facts.ts';
import { answerOf, countFile, goalOf, type Work } from './workload.ts';

/** What was done from outside, and so explains an end. */
export interface Interference {
  /** Runs whose worker was killed. */
  readonly killed: ReadonlySet<string>;
  /** Runs that were stopped, with those below them. */
  readonly stopped: ReadonlySet<string>;
  /** Texts of steering messages that the core accepted. */
  readonly steered: readonly string[];
}

/** Everything that the checks of work look at. */
export interface WorkFacts {
  readonly works: readonly Work[];
  readonly counts: string;
  readonly facts: StoredFacts;
  readonly requests: readonly RequestLog[];
  readonly done: Interference;
}

/** Whether each piece of work was taken on once, done once, ended as it should, and told to its owner once. */
export function checkWork(world: WorkFacts, findings: Findings): void {
  const byGoal = Map.groupBy(world.facts.runs, ({ row }) => row.goal);
  // Nobody is there for children whose parent was ended first.
  const children = new Set(world.works.flatMap((work) => work.children.map(({ id }) => id)));
  for (const work of world.works) {
    const runs = byGoal.get(goalOf(work, world.counts)) ?? [];
    if (runs.length === 0 && !children.has(work.id)) {
      findings.add('dispatches lost or doubled', `${work.id} was dispatched and has no run`);
    }
    checkRuns(world, work, runs, findings);
    checkCounts(world, work, runs, findings);
  }
  checkDeliveries(world, findings);
  checkSteers(world, findings);
}

/** A retry is a run of its own; without one a task has one run. */
function checkRuns({ done }: WorkFacts, work: Work, runs: readonly StoredRun[], findings: Findings): void {
  const first = runs.filter(({ row }) => row.retry_of === null);
  if (first.length > 1) findings.add('dispatches lost or doubled', `${work.id} has ${first.length} runs`);
  for (const { row } of runs) {
    if (row.state !== 'ended') {
      findings.add('runs that did not settle', `${row.run_id} (${work.id}) is ${row.state}: ${row.reason ?? ''}`);
      continue;
    }
    const wanted = work.kind === 'failing' ? 'failed' : 'completed';
    if (row.outcome === wanted || isTouched(done, row.run_id)) continue;
    const words = `${row.run_id} (${work.id}, ${work.kind}) ${row.words}: ${row.error ?? row.exit_reason ?? ''}`;
    findings.add('runs that ended otherwise than they should', words);
  }
}

function isTouched({ killed, stopped }: Interference, runId: string): boolean {
  return killed.has(runId) || stopped.has(runId);
}

/** Each run does its work once; one that was ended from outside at most once. */
function checkCounts({ counts, done }: WorkFacts, work: Work, runs: readonly StoredRun[], findings: Findings): void {
  if (['stream', 'nest', 'lead'].includes(work.kind)) return;
  const path = countFile(counts, work);
  const times = existsSync(path) ? readFileSync(path, 'utf8').length / 2 : 0;
  const whole = runs.every(({ row }) => !isTouched(done, row.run_id));
  if (times > runs.length || (whole && times < runs.length)) {
    findings.add('work done twice or not at all', `${work.id} (${work.kind}): ${times} times in ${runs.length} runs`);
  }
}

/** What an owner was told of each of its children, by the last request of its conversation. */
function checkDeliveries(world: WorkFacts, findings: Findings): void {
  const byGoal = Map.groupBy(world.facts.runs, ({ row }) => row.goal);
  const runOf = (work: Work) => byGoal.get(goalOf(work, world.counts))?.[0]?.row;
  for (const owner of world.works.filter(({ children }) => children.length > 0)) {
    const row = runOf(owner);
    if (row?.outcome !== 'completed') continue;
    const told = toldTo(world.requests, owner);
    for (const child of owner.children) {
      if (runOf(child)?.outcome !== 'completed') continue;
      const times = told.split(answerOf(child)).length - 1;
      if (times === 0) findings.add('deliveries lost', `${owner.id} never heard of ${child.id}`);
      if (times > 1) findings.add('deliveries doubled', `${owner.id} heard of ${child.id} ${times} times`);
    }
  }
  const ended = new Set(world.facts.runs.filter(({ row }) => row.outcome === 'completed').map(({ row }) => row.run_id));
  for (const delivery of world.facts.deliveries) {
    if (delivery.delivered === 0 && ended.has(delivery.to_run_id)) {
      findings.add('deliveries lost', `${delivery.delivery_id} waits for ${delivery.to_run_id}, which has completed`);
    }
  }
}

/** Everything that was said to the model in the work's longest request, by users and tools. */
function toldTo(requests: readonly RequestLog[], { id }: Work): string {
  const own = requests.filter(({ conversation }) => conversation === id);
  const longest = own.reduce<RequestLog | undefined>(
    (best, each) => ((best?.request.texts.length ?? 0) > each.request.texts.length ? best : each),
    undefined,
  );
  const texts = longest?.request.texts ?? [];
  return texts.flatMap(({ role, text }) => (role === 'assistant' ? [] : [text])).join('\n');
}

/** Accepted steering is part of exactly one request's news, or is reported as missed. */
function checkSteers({ facts, requests, done }: WorkFacts, findings: Findings): void {
  for (const text of done.steered) {
    const rows = facts.steers.filter((row) => row.text === text);
    const [row] = rows;
    if (row === undefined || rows.length > 1) {
      findings.add('steering lost or doubled', `"${text}" has ${rows.length} rows`);
      continue;
    }
    const settled = row.state === 'delivered' || row.state === 'missed';
    if (!settled) findings.add('steering lost or doubled', `"${text}" of ${row.run_id} is ${row.state}`);
    const times = Math.max(0, ...requests.map((request) => heardIn(request, text)));
    if (times > 1) findings.add('steering lost or doubled', `"${text}" was heard ${times} times`);
    if (row.state === 'delivered' && times === 0) {
      findings.add('steering lost or doubled', `"${text}" of ${row.run_id} is called delivered and was never heard`);
    }
  }
}

function heardIn({ request }: RequestLog, text: string): number {
  return request.texts.reduce((sum, said) => sum + (said.role === 'user' ? said.text.split(text).length - 1 : 0), 0);
}
