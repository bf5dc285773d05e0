import { err, ok, type Result } from '../kit/result.ts';
import type { Task } from '../protocol/batch.ts';
import type { NewRun } from '../protocol/api/dispatch.ts';
import type { ApiError } from '../protocol/errors.ts';
import { isEnded } from '../protocol/lifecycle.ts';
import type { RunRow } from '../protocol/rows.ts';
import type { RunLimits } from '../protocol/settings.ts';
import { totalTokens } from '../protocol/token-sums.ts';
import { roundUsd } from '../runs/money.ts';
import { usedBy } from './deadlines.ts';
import { placeOf, placeReason, queueTask } from './decide-dispatch.ts';
import { newRunAnswer, reopenSet, slotOf } from './decide-retry.ts';
import { unknownRun } from './decide-steer.ts';
import type { Step } from './step.ts';
import { endedSetText } from './ended-set-text.ts';
import { openDeliveries, openNotices, sessionBefore, type ConversationTree } from './tree.ts';
import { profileOf } from '../protocol/profiles/agent-profiles.ts';
import type { AgentDefinition } from '../protocol/agents.ts';

/**
 * Goes on with the session of a run that has ended, with a message as its next one (C5): a new run in the same slot, with what is left of the
 * limits and the same ceiling. A session has one owner: once a run goes on with it, that one is to be continued. A lead is continued as
 * the conversation's lead.
 */
export function decideContinue(step: Step, runId: string, text: string): Result<NewRun, ApiError> {
  const lead = step.tree.runs.get(runId);
  if (lead?.lead) return decideContinueLead(step, runId, text, false);
  const slot = slotOf(step, runId, 'continue');
  if (!slot.ok) return slot;
  const { run, set, place } = slot.value;
  const task = nextTask(step, run, text);
  if (!task.ok) return task;
  if (!hasSession(step.tree, run)) {
    return err({ code: 'not_allowed', message: 'This run left no session to go on with. Retry it instead.' });
  }
  reopenSet(step, set);
  const continued = { ...place, continues: run };
  const by = queueTask(step, run.project_id, task.value, continued, placeReason(step, placeOf(place)));
  step.emit({ type: 'run_continued', v: 1, run_id: runId, by });
  tellUnheard(step, run, by);
  return ok(newRunAnswer(run, by, `Stored: ${run.tag} goes on. The result of set ${set.set} comes again.`));
}

/**
 * The next message to a lead that has ended continues it (T1): a new lead goes on with the session. What came for the old one meanwhile comes
 * first, each as a turn of its own, then the message. `once`: it ends after its answer. `change`: another agent or model goes on from here; one that
 * cannot take over the session is told what was asked first and answered last.
 */
export function decideContinueLead(
  step: Step,
  leadId: string,
  text: string,
  once: boolean,
  change?: Task,
): Result<NewRun, ApiError> {
  const { tree } = step;
  const run = tree.runs.get(leadId);
  if (run === undefined) return err(unknownRun(leadId));
  if (!isEnded(run.state)) {
    return err({ code: 'not_allowed', message: 'This lead has not ended. Send it a message.' });
  }
  if (run.continued_by !== null) {
    return err({
      code: 'not_allowed',
      message: `${run.continued_by} has gone on with this lead. Send that one a message.`,
    });
  }
  const task = change === undefined ? nextTask(step, run, text) : changedTask(step, run, text, change);
  if (!task.ok) return task;
  const place = { set: null, index: null, parent: null, retryOf: null, continues: run };
  const by = queueTask(step, run.project_id, task.value, place, placeReason(step, placeOf(place)), once);
  step.emit({ type: 'run_continued', v: 1, run_id: leadId, by });
  const { conversation_id } = run;
  step.emit({ type: 'conversation_changed', v: 1, conversation_id, lead_run_id: by });
  passOn(step, run, by);
  // Without a session there is nothing to wait with for a message: then the goal is the message.
  const next = tree.runs.get(by);
  if (next !== undefined && sessionBefore(tree, next) != null) sendFirst(step, by, conversation_id, text);
  return ok(newRunAnswer(run, by, 'Stored: the lead goes on.'));
}

function hasSession(tree: ConversationTree, run: RunRow): boolean {
  return sessionBefore(tree, { continues: run.run_id }) != null;
}

/** Results and news that were kept for a run are its successor's (P2, P3). */
function passOn(step: Step, { run_id, conversation_id }: RunRow, to_run_id: string): void {
  const kept = [...openNotices(step.tree, run_id), ...openDeliveries(step.tree, run_id)];
  for (const { delivery_id, delegation_id, kind, text } of kept) {
    step.emit({ type: 'delivery_done', v: 1, delivery_id, by_run_id: to_run_id });
    const next = step.context.newId('dlv');
    const delivery = { delivery_id: next, conversation_id, delegation_id, to_run_id, kind, text };
    step.emit({ type: 'delivery_queued', v: 1, ...delivery });
  }
}

/**
 * The session that a run goes on with knows of delegations in the background, and perhaps not of their end: what has not been handed over is told at the
 * first boundary (P2). Of sets that are at work again it is told when they end.
 */
function tellUnheard(step: Step, { run_id, conversation_id }: RunRow, to_run_id: string): void {
  const { tree } = step;
  const deliveries = [...tree.deliveries.values()].filter((one) => one.to_run_id === run_id && one.kind === 'result');
  const waits = openDeliveries(tree, run_id);
  for (const { delivery_id } of [...waits, ...openNotices(tree, run_id)]) {
    step.emit({ type: 'delivery_done', v: 1, delivery_id, by_run_id: to_run_id });
  }
  const sets = (tree.childSets.get(run_id) ?? []).flatMap((id) => tree.sets.get(id) ?? []);
  for (const set of sets) {
    const { delegation_id } = set;
    const isHeard =
      deliveries.some((one) => one.delegation_id === delegation_id) &&
      !waits.some((one) => one.delegation_id === delegation_id);
    if (set.ended_at === null || set.wait || isHeard) continue;
    const text = endedSetText(step, set, null);
    const delivery_id = step.context.newId('dlv');
    step.emit({
      type: 'delivery_queued',
      v: 1,
      kind: 'notice',
      delivery_id,
      conversation_id,
      delegation_id,
      to_run_id,
      text,
    });
  }
}

function sendFirst(step: Step, run_id: string, conversation_id: string, text: string): void {
  const { now } = step.context;
  const sent = { steer_id: step.context.newId('steer'), sent_at: now, changed_at: now };
  const row = { ...sent, run_id, conversation_id, mode: 'follow_up' as const, text, state: 'accepted' as const };
  step.emit({ type: 'steer_sent', v: 1, row });
}

/** The task of the run that goes on: the same, with the message as its goal and what is left of its limits. */
function nextTask(step: Step, run: RunRow, text: string): Result<Task, ApiError> {
  const task = step.tree.facts.get(run.run_id)?.task;
  if (task === undefined) return err(unknownRun(run.run_id));
  const agent = step.context.agents.get(run.agent);
  if (agent === undefined || !keepsSession(agent)) {
    const who =
      agent === undefined ? `There is no agent "${run.agent}" any more` : `The runner ${agent.runner} keeps no session`;
    return err({ code: 'not_allowed', message: `${who}, so this run cannot be continued. Retry it instead.` });
  }
  const limits = limitsLeft(step, run, task.limits);
  if (!limits.ok) return limits;
  const goal = [...unheard(step.tree, run), text].join('\n\n');
  return ok({ ...task, goal, limits: limits.value, images: [], depends_on: [] });
}

/** The task of a lead that goes on with another agent or model, with what is left of the limits. */
function changedTask(step: Step, run: RunRow, text: string, change: Task): Result<Task, ApiError> {
  const { tree, context } = step;
  const runner = context.agents.get(change.agent)?.runner;
  if (runner === undefined) {
    return err({ code: 'not_allowed', message: `There is no agent "${change.agent}" any more.` });
  }
  if (runner === 'command') {
    return err({
      code: 'not_allowed',
      message: `"${change.agent}" runs a program, which hears no messages: it cannot lead.`,
    });
  }
  const before = tree.facts.get(run.run_id);
  const limits = limitsLeft(step, run, before?.task.limits ?? change.limits);
  if (!limits.ok) return limits;
  const session = sessionBefore(tree, { continues: run.run_id, runner, agent: change.agent });
  const known = session == null ? briefing(tree, run) : unheard(tree, run);
  return ok({ ...change, goal: [...known, text].join('\n\n'), limits: limits.value, images: [], depends_on: [] });
}

/** What a lead that cannot have the session of the one before it is told of it. */
function briefing(tree: ConversationTree, run: RunRow): string[] {
  const first = firstOf(tree, run);
  const answer = tree.facts.get(run.run_id)?.result?.summary;
  return [
    `Before you, "${run.agent}" led this conversation. It began with:\n${first.goal}`,
    ...(answer === undefined || answer === '' ? [] : [`Its last answer was:\n${answer}`]),
    'You go on for it, with this message:',
  ];
}

function firstOf(tree: ConversationTree, run: RunRow): RunRow {
  const before = run.continues === null ? undefined : tree.runs.get(run.continues);
  return before === undefined ? run : firstOf(tree, before);
}

/** Whether the agent can go on with a session whose turn has ended (C5, P6, R11). */
export function keepsSession(agent: AgentDefinition): boolean {
  if (agent.runner === 'builtin') return true;
  const profile = profileOf(agent);
  return profile !== null && profile.continues.by !== 'unsupported';
}

/** The goal of a run that left no session: nobody that goes on has heard it. A lead's message that it did not hear is reported as missed. */
function unheard(tree: ConversationTree, run: RunRow): string[] {
  if (tree.facts.get(run.run_id)?.session != null) return [];
  return run.lead && sessionBefore(tree, run) != null ? [] : [run.goal];
}

type Used = Partial<Record<keyof RunLimits, number>>;

/** What a run has used of each limit; a lead's turns count by message (T1). */
function used(tree: ConversationTree, run: RunRow): Used {
  return {
    ...(run.lead ? {} : { max_turns: run.turns }),
    max_tool_calls: run.tool_calls,
    max_cost_usd: run.cost_usd ?? 0,
    max_tokens: totalTokens(run.tokens),
    timeout_seconds: usedBy(tree, run.run_id),
  };
}

function limitsLeft(step: Step, run: RunRow, limits: RunLimits): Result<RunLimits, ApiError> {
  const all: RunLimits = { ...limits, max_turns: limits.max_turns ?? step.context.limits.maxTurns };
  const left: RunLimits = { ...all };
  for (const [key, amount] of Object.entries(used(step.tree, run)) as [keyof RunLimits, number][]) {
    const limit = all[key];
    if (limit === undefined) continue;
    const rest = roundUsd(limit - amount);
    if (rest <= 0) {
      const message = `This run has used up its limit ${key} (${limit}). Begin a new task, or retry it.`;
      return err({ code: 'limit_reached', message });
    }
    left[key] = rest;
  }
  return ok(left);
}
