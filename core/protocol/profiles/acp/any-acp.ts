import type { AgentProfile } from '../profile.ts';
import { ENFORCED, UNSUPPORTED, WATCHED } from '../support.ts';

/** What holds for every agent that speaks the Agent Client Protocol, unless its profile says otherwise. */
export const ACP_COMMON = {
  runner: 'acp',
  env: {},
  start: { heavy: false, exclusive: null },
  limits: {
    max_turns: WATCHED('Messages of the model are counted in its stream; at the limit the turn is cancelled.'),
    max_tool_calls: WATCHED('Tool calls are counted in its stream; at the limit the turn is cancelled.'),
    max_cost_usd: UNSUPPORTED('It does not tell what it costs.'),
    max_tokens: UNSUPPORTED('It tells its tokens only after a turn, when they are spent.'),
    timeout_seconds: ENFORCED('Its worker ends it.'),
    idle_timeout_seconds: ENFORCED('Its worker watches its stream and ends it.'),
  },
  ceiling: UNSUPPORTED('The protocol has no way to take tools away from an agent.'),
  steer: {
    method: 'interrupt',
    proof: 'delivered',
    how: 'The turn is cancelled when no tool runs, and the text begins the next turn, which answers it.',
  },
  usage: { tokens: 'turn', cost: 'none', how: 'Tokens come with the end of a turn.' },
  pause: {
    at: 'boundary',
    how: 'Its turn is cancelled when no tool runs, and it is told to go on when the run is resumed.',
  },
  continues: WATCHED('Its own session is loaded again, where it says that it can.'),
  worktree: ENFORCED('It is started in its worktree, and its session works there.'),
  delegates: WATCHED('It is given our MCP server, and starts it.'),
  endpoint: null,
  modes: {},
  tool_names: {},
  source: 'https://agentclientprotocol.com',
  failures: 'Errors of the protocol, stop reasons, and error texts in place of an answer.',
} as const satisfies Partial<AgentProfile>;
