import { cutMiddle } from '../../../kit/cut-middle.ts';
import { ok } from '../../../kit/result.ts';
import { toolEnvironment } from '../../../kit/process-tree/tool-environment.ts';
import type { Assignment } from '../../../protocol/frames.ts';
import type { ConnectedServer, ServerTool } from '../../../mcp/client/connect-server.ts';
import { toolName } from '../../../mcp/client/tool-names.ts';
import type { RunnerPort } from '../../contract.ts';
import { RESULT_LIMIT } from './result-limit.ts';
import type { InputSchema, Tool } from './tool.ts';

/** The tools of a run's MCP servers, and the end of those. */
export interface McpTools {
  readonly tools: readonly Tool[];
  close(): Promise<void>;
}

const NONE: McpTools = { tools: [], close: () => Promise.resolve() };

/**
 * Connects to the MCP servers that the agent was given; only then is any of them started. One that is broken is told in the transcript and left out: it
 * does not end the run.
 */
export async function mcpTools(assignment: Assignment, port: RunnerPort): Promise<McpTools> {
  const wanted = Object.entries(assignment.mcp_servers ?? {});
  for (const name of assignment.agent.mcp_servers ?? []) {
    if (name !== '*' && assignment.mcp_servers?.[name] === undefined) notice(port, `There is no MCP server "${name}".`);
  }
  if (wanted.length === 0) return NONE;
  const { connectServer } = await import('../../../mcp/client/connect-server.ts');
  const { workspace: cwd, run_id: runId, hidden_variables: drop, environment, agent } = assignment;
  const place = {
    cwd,
    environment: toolEnvironment({ ...environment, ...agent.env }, { runId, drop }),
    version: '1',
    clock: port.clock,
  };
  const servers: ConnectedServer[] = [];
  const opened = await Promise.all(
    wanted.map(async ([name, server]) => ({ name, found: await connectServer(name, server, place) })),
  );
  for (const { name, found } of opened) {
    if (found.ok) servers.push(found.value);
    else notice(port, `The MCP server "${name}" is left out: ${found.error}`);
  }
  const taken = new Set<string>();
  const tools = servers.flatMap((server) => server.tools.map((tool) => mcpTool(server, tool, taken, port)));
  return {
    tools,
    close: async () => {
      await Promise.all(servers.map((server) => server.close().catch(() => undefined)));
    },
  };
}

function notice(port: RunnerPort, text: string): void {
  port.transcript.add({ type: 'notice', level: 'warning' }, text);
}

function mcpTool(server: ConnectedServer, tool: ServerTool, taken: Set<string>, port: RunnerPort): Tool {
  const name = toolName(server.name, tool.name, taken);
  taken.add(name);
  return {
    name,
    description: tool.description,
    inputSchema: tool.inputSchema as unknown as InputSchema,
    readOnly: tool.readOnly,
    permission: tool.readOnly ? 'free' : 'execute',
    check: ok,
    describe: () => `${server.name}: ${tool.name}`,
    run: async (args, { signal }) => {
      const { isError, text, images } = await server.call(tool.name, args, { signal, onProgress: () => port.alive() });
      return { isError, text: cutMiddle(text, RESULT_LIMIT).text, images };
    },
  };
}
