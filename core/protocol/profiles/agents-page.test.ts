import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AGENT_PROFILES } from './agent-profiles.ts';
import type { AgentProfile, Support } from './profile.ts';

const page = (path: string): string => readFileSync(join(import.meta.dirname, '../../../docs', path), 'utf8');

const SIGN = { enforced: 'E', watched: 'W', unsupported: '–' } as const;
const sign = ({ by }: Support): string => SIGN[by];

function lineOf({ id, limits, ceiling, steer, pause, continues, delegates }: AgentProfile): string {
  const { max_turns, max_tool_calls, max_cost_usd, max_tokens, timeout_seconds, idle_timeout_seconds } = limits;
  const kept = [max_turns, max_tool_calls, max_cost_usd, max_tokens, timeout_seconds, idle_timeout_seconds, ceiling];
  const steered = steer === null ? '–' : `${steer.method}, ${steer.proof}`;
  const cells = [`\`${id}\``, ...kept.map(sign), steered, pause.at, sign(continues), sign(delegates)];
  return `| ${cells.join(' | ')} |`;
}

test('R11: the user’s page says of each outside agent what its profile says', () => {
  const lines = page('agents.md').split('\n');
  expect(lines).toEqual(expect.arrayContaining(AGENT_PROFILES.map(lineOf)));
});

test('the user’s page says how each known agent is installed and signed in', () => {
  const text = page('agents.md');
  for (const { id, install, sign_in } of AGENT_PROFILES) {
    for (const words of [`\`${id}\``, install, sign_in]) expect(text).toContain(words);
  }
});
