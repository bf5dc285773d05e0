import { CLAUDE_CLI } from '../../../protocol/profiles/cli/claude.ts';
import type { AdapterContext } from '../adapter.ts';
import { ownToolNames } from '../../own-tools.ts';

/** Sleeps and schedules of its own outlive the answer; questions of its own have nobody to answer them, ours have. */
const NOT_OFFERED = [
  'AskUserQuestion',
  'EnterPlanMode',
  'ExitPlanMode',
  'EnterWorktree',
  'ExitWorktree',
  'ScheduleWakeup',
];

/** Half a day, milliseconds: a delegation may take as long, and its own limit is ours to keep. */
const TOOL_TIMEOUT_MS = 43_200_000;

export function claudeArguments({ assignment, server, session }: AdapterContext): string[] {
  const { agent, limits } = assignment;
  const model = assignment.model ?? agent.model;
  const tools = ownToolNames(assignment, CLAUDE_CLI);
  const args = [
    '-p',
    ...['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
    ...['--include-partial-messages', '--replay-user-messages'],
    // Every permission comes to us, in every mode: we know the run's, and no rule of its own may say more.
    ...['--permission-mode', 'default', '--permission-prompt-tool', 'stdio'],
    ...['--disallowedTools', NOT_OFFERED.join(',')],
  ];
  if (model != null) args.push('--model', model);
  if (session !== null) args.push('--resume', session);
  if (tools !== null) args.push('--tools', tools.join(','));
  if (limits.max_cost_usd !== null) args.push('--max-budget-usd', String(limits.max_cost_usd));
  if (server !== null) {
    const { name, command, args: serverArgs, env } = server;
    args.push('--mcp-config', JSON.stringify({ mcpServers: { [name]: { command, args: serverArgs, env } } }));
  }
  return args;
}

export const CLAUDE_ENVIRONMENT: Readonly<Record<string, string>> = {
  MCP_TOOL_TIMEOUT: String(TOOL_TIMEOUT_MS),
  MCP_TIMEOUT: '30000',
};
