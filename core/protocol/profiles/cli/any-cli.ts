import type { AgentProfile } from '../profile.ts';
import { ENFORCED, UNSUPPORTED, WATCHED } from '../support.ts';

/** What holds for every coding CLI in its JSON-stream mode, unless its profile says otherwise. */
export const CLI_COMMON = {
  runner: 'cli',
  env: {},
  start: { heavy: false, exclusive: null },
  limits: {
    max_turns: WATCHED('Messages of the model are counted in its stream; at the limit the turn is ended.'),
    max_tool_calls: WATCHED('Tool calls are counted in its stream; at the limit the turn is ended.'),
    max_cost_usd: UNSUPPORTED('It does not tell what it costs.'),
    max_tokens: WATCHED('It tells its tokens after each message; at the limit the turn is ended.'),
    timeout_seconds: ENFORCED('Its worker ends it.'),
    idle_timeout_seconds: ENFORCED('Its worker watches its stream and ends it.'),
  },
  ceiling: UNSUPPORTED('It has no way to be told which tools it may not use.'),
  pause: { at: 'never', how: 'It has no way to hold a turn; the run pauses between two turns.' },
  continues: WATCHED('Its own session is resumed by its id.'),
  worktree: ENFORCED('It is started in its worktree.'),
  delegates: WATCHED('It is given our MCP server, and starts it.'),
  endpoint: null,
  modes: {},
  tool_names: {},
} as const satisfies Partial<AgentProfile>;
