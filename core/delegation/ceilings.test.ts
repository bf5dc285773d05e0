import { describe, expect, it } from 'vitest';
import type { AgentDefinition } from '../protocol/agents.ts';
import type { Task } from '../protocol/batch.ts';
import { DelegationWorld } from '../testing/delegation.ts';

function agent(id: string, more: Partial<AgentDefinition> = {}): AgentDefinition {
  return { id, runner: 'builtin', source: 'settings', description: '', ...more };
}

/** A run of the agent at work. */
function worldWith(parent: AgentDefinition, task: Partial<Task> = {}): { world: DelegationWorld; run: string } {
  const world = new DelegationWorld();
  world.agents.set(parent.id, parent);
  const [run = ''] = world.dispatch([{ agent: parent.id, ...task }]).run_ids;
  world.begin();
  return { world, run };
}

function toolsOfChild(world: DelegationWorld, run: string, child: Partial<Task>): readonly string[] | null | undefined {
  const set = world.delegate(run, 'c1', [child]);
  return world.tree.facts.get(world.runsOf(set ?? '')[0] ?? '')?.task.tools;
}

describe('K3: a child never gets more than its parent has', () => {
  it('case 50: ceiling {read, grep} and child tools {read, bash} → {read}', () => {
    const { world, run } = worldWith(agent('lead'), { tools: ['read', 'grep'] });
    expect(toolsOfChild(world, run, { tools: ['read', 'bash'] })).toEqual(['read']);
  });

  it('the tools of the parent’s agent bound it too', () => {
    const { world, run } = worldWith(agent('reader', { tools: ['read', 'delegate_task'] }));
    expect(toolsOfChild(world, run, {})).toEqual(['read', 'delegate_task']);
  });

  it('what the parent’s agent must not use its children must not either', () => {
    const { world, run } = worldWith(agent('careful', { disallowed_tools: ['bash'] }));
    expect(toolsOfChild(world, run, {})).toEqual(['read', 'write', 'delegate_task', 'report_result']);
  });

  it('K3: an agent that cannot be held to the ceiling is refused, and nothing is started; without one it is not', () => {
    const outside = agent('outside', { runner: 'acp', command: 'outside-agent' });
    const { world, run } = worldWith(agent('lead'), { tools: ['read', 'delegate_task'] });
    world.agents.set(outside.id, outside);
    expect(world.delegate(run, 'c1', [{ agent: 'outside' }])).toBeNull();
    expect(world.tree.calls.get(`${run}/c1`)?.answer?.text).toMatch(/outside cannot be held to them/);
    const free = worldWith(agent('lead'));
    free.world.agents.set(outside.id, outside);
    expect(free.world.delegate(free.run, 'c1', [{ agent: 'outside' }])).not.toBeNull();
  });

  it('an empty list is nothing, no list no opinion', () => {
    const none = worldWith(agent('none'), { tools: [] });
    expect(toolsOfChild(none.world, none.run, { tools: ['read'] })).toEqual([]);
    const free = worldWith(agent('free'));
    expect(toolsOfChild(free.world, free.run, {})).toBeNull();
  });
});

describe('A1, K3: programs as children', () => {
  const refusal = (world: DelegationWorld, run: string): string => {
    expect(world.delegate(run, 'c1', [{}, { agent: 'command' }])).toBeNull();
    return world.tree.calls.get(`${run}/c1`)?.answer?.text ?? '';
  };

  it('under plan nothing is executed', () => {
    const { world, run } = worldWith(agent('planner'), { permission: 'plan' });
    expect(refusal(world, run)).toContain('permission mode "plan"');
    expect(world.tree.sets.size).toBe(1);
  });

  it('a run that may not use bash has no program run for it', () => {
    const { world, run } = worldWith(agent('reader', { tools: ['read', 'delegate_task'] }));
    expect(refusal(world, run)).toContain('may not use bash');
  });

  it.each([
    ['plan', agent('planner'), { permission: 'plan' as const }, 'permission mode "plan"'],
    ['no bash', agent('reader', { tools: ['read', 'delegate_task'] }), {}, 'may not use bash'],
  ])('T4: nor are commands run that check the work of its tasks, under %s', (_, parent, task, words) => {
    const { world, run } = worldWith(parent, task);
    const acceptance = { verify: [{ command: 'touch here' }] };
    expect(world.delegate(run, 'c1', [{}, { acceptance }])).toBeNull();
    const text = world.tree.calls.get(`${run}/c1`)?.answer?.text;
    expect(text).toContain(words);
    expect(text).toContain('verify commands');
    expect(world.tree.sets.size).toBe(1);
  });

  it('a plan run delegates to plan children', () => {
    const { world, run } = worldWith(agent('planner'), { permission: 'plan' });
    const set = world.delegate(run, 'c1', [{ permission: 'auto' }]) ?? '';
    expect(world.run(world.runsOf(set)[0] ?? '').permission).toBe('plan');
  });
});

describe('R3: once_per_child', () => {
  it('allows one delegation per child agent, of as many tasks as it likes, and charges nothing for a refused one', () => {
    const { world, run } = worldWith(agent('once', { once_per_child: true }));
    world.agents.set('explorer', agent('explorer'));
    expect(world.delegate(run, 'c1', [{}, {}])).not.toBeNull();
    for (const id of world.runsOf(world.tree.childSets.get(run)?.[0] ?? '')) {
      world.begin();
      world.end(id);
    }
    world.begin();
    expect(world.delegate(run, 'c2', [{}])).toBeNull();
    expect(world.tree.calls.get(`${run}/c2`)?.answer?.text).toContain('once_per_child');
    expect(world.tree.fanOut.get(run)).toBe(2);
    expect(world.delegate(run, 'c3', [{ agent: 'explorer' }])).not.toBeNull();
  });
});
