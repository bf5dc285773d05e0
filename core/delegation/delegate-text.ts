import type { Limits, RunnerKind } from '../protocol/settings.ts';

/**
 * Description of the delegate tool for a run at a depth (K6): under 2,000 characters, says when not to delegate and which
 * limits hold. Byte-stable while settings are. `later`: how the results of a delegation in the background reach the run.
 */
export function delegateText(
  limits: Limits,
  agents: readonly { readonly id: string; readonly description: string; readonly runner: RunnerKind }[],
  waits: boolean,
  later: 'message' | 'call' = 'message',
): string {
  // Our own agents and programs ask nobody; those over ACP or MCP can.
  const canAsk = agents.some(({ runner }) => runner === 'acp' || runner === 'cli');
  const answer = canAsk
    ? '\nA child that asks waits: {"action": "answer", "run_id": "…", "message": "…"}. Permissions only a person gives.'
    : '';
  const byCall = later === 'call';
  const list = listOf(agents);
  const text = `Hand tasks to other agents that work in the same project, each with a fresh context.

Use it for: several independent pieces of work; long searches of which you need only the answer.
Do not use it for:
- one quick step → do it yourself
- work that needs this whole conversation → do it yourself
- two tasks that edit the same files → one task

A child sees only its goal and context. Write a full sentence as goal; put paths, decisions and what "done" means into context.
Its report is its own claim: check files and test results that matter.

Start: {"tasks": [{"goal": "…", "context": "…", "agent": "general", "label": "…"}], "wait": ${waits}}
- wait true: the results are the answer of this call. ${byCall ? 'wait false: get them later with wait; go on meanwhile.' : 'wait false: they come later as a message; go on meanwhile.'}
Control your own children: {"action": "list"} ·${byCall ? ' {"action": "wait", "delegation_id": "…"} ·' : ''} {"action": "steer", "run_id": "…", "message": "…"} · {"action": "stop", "run_id": "…"}${answer}

Limits: ${limits.concurrencyPerSet} of a set at once (more are queued), depth ${limits.maxDepth}, ${limits.fanOutPerTurn} runs a turn, ${limits.fanOut} in all.
Agents:
${list}`;
  if (text.length < 2000) return text;
  // Many agents could break the bound. What programs of others do is known by their names; then all descriptions give way.
  const ours = agents.filter(({ runner }) => runner === 'builtin' || runner === 'command');
  const others = agents.filter((agent) => !ours.includes(agent)).map(({ id }) => id);
  const short = text.replace(list, `${listOf(ours)}\n- programs of others: ${others.join(', ')}`);
  if (others.length > 0 && short.length < 2000) return short;
  return text.slice(0, text.indexOf('Agents:')) + `Agents: ${agents.map(({ id }) => id).join(', ')}`.slice(0, 600);
}

function listOf(agents: readonly { readonly id: string; readonly description: string }[]): string {
  return agents.map(({ id, description }) => `- ${id}: ${description}`).join('\n');
}
