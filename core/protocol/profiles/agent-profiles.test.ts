import { expect, it } from 'vitest';
import { AGENT_PROFILES, profileOf } from './agent-profiles.ts';

it('R11: every profile says of each limit who keeps it, and how or why not', () => {
  for (const { id, limits, ceiling, delegates, continues } of AGENT_PROFILES) {
    for (const { how } of [...Object.values(limits), ceiling, delegates, continues]) expect(how, id).not.toBe('');
    expect(limits.timeout_seconds.by, id).toBe('enforced');
  }
});

it('ids of profiles are unique, as they are names of agents', () => {
  const ids = AGENT_PROFILES.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

it('an agent has the profile that its adapter names, for its own runner only', () => {
  expect(profileOf({ runner: 'acp', adapter: 'codex-acp' })?.name).toBe('Codex (ACP)');
  expect(profileOf({ runner: 'cli', adapter: 'codex-acp' })).toBeNull();
  expect(profileOf({ runner: 'acp', adapter: 'nobody' })).toBeNull();
  expect(profileOf({ runner: 'builtin' })).toBeNull();
});

it('an agent over ACP that nobody knows has what the protocol gives', () => {
  const profile = profileOf({ runner: 'acp' });
  expect(profile?.limits.max_tool_calls.by).toBe('watched');
  expect(profile?.ceiling.by).toBe('unsupported');
});
