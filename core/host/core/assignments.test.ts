import { expect, test } from 'vitest';
import type { ProjectRow, RunRow } from '../../protocol/rows.ts';
import { Settings } from '../../protocol/settings.ts';
import { DelegationWorld } from '../../testing/delegation.ts';
import type { Task } from '../../protocol/batch.ts';
import { makeAssignment } from './assignments.ts';
import { agentsOf } from './world.ts';

const SETTINGS = Settings.parse({
  agents: {
    outside: { runner: 'acp', command: 'outside-agent' },
    bounded: { runner: 'acp', command: 'outside-agent', disallowed_tools: ['bash'] },
  },
});

function assignmentOf(task: Partial<Task>, row: Partial<RunRow> = {}) {
  const world = new DelegationWorld();
  const [id = ''] = world.dispatch([task]).run_ids;
  const project: ProjectRow = {
    project_id: 'proj_000000000001',
    path: '/project',
    name: 'project',
    added_at: 0,
    used_at: 0,
    trusted: true,
    definitions: { digest: 'trusted-content', files: [], changed: false, faults: [] },
    present: true,
    git: false,
  };
  const agents = agentsOf(SETTINGS);
  const places = { folder: '/attempt', agents, skill_folders: ['/own/skills'], tool_lists: '/lists' };
  const parts = {
    tree: world.tree,
    run: { ...world.run(id), ...row },
    project,
    settings: SETTINGS,
    environment: {},
    key_holds: [],
  };
  return makeAssignment({ ...parts, ...places });
}

test('K3: a ceiling that the agent cannot be held to fails the start, unless a person takes it for a best effort', () => {
  const refused = { ok: false, error: { failure_reason: 'permission' } };
  expect(assignmentOf({ agent: 'outside', tools: ['read'] })).toMatchObject(refused);
  expect(assignmentOf({ agent: 'bounded' })).toMatchObject(refused);
  expect(assignmentOf({ agent: 'outside', tools: ['read'], best_effort: true })).toMatchObject({ ok: true });
  expect(assignmentOf({ agent: 'outside' })).toMatchObject({ ok: true });
});

test('K1, A4: a run is told where skills are, and whether those of the project hold', () => {
  const made = assignmentOf({ agent: 'outside' });
  expect(made.ok && made.value.skills).toEqual({ project: 'trusted-content', folders: ['/own/skills'] });
});

test('R4: what earlier attempts of a run have called is taken off its limit; with all of it used one is left to come to its end', () => {
  const limitAfter = (tool_calls: number) => {
    const made = assignmentOf({ agent: 'outside', limits: { max_tool_calls: 10 } }, { tool_calls });
    return made.ok ? made.value.limits.max_tool_calls : made.error;
  };
  expect([0, 4, 10, 12].map(limitAfter)).toEqual([10, 6, 1, 1]);
});
