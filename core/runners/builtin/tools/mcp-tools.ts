import { cutMiddle } from '../../../kit/cut-middle.ts';
import { ok } from '../../../kit/result.ts';
import { toolEnvironment } from '../../../kit/process-tree/tool-environment.ts';
import type { Assignment } from '../../../protocol/frames.ts';
import type { LazyServer } from '../../../mcp/client/lazy-server.ts';
import type { ListedTool } from '../../../mcp/client/tool-lists.ts';
import { toolName } from '../../../mcp/client/tool-names.ts';
import type { RunnerPort } from '../../contract.ts';
import { serversOf } from '../../mcp-servers.ts';
import { RESULT_LIMIT } from './result-limit.ts';
import type { InputSchema, Tool } from './tool.ts';

/** The tools of a run's MCP servers, and the end of those. */
export interface McpTools {
  readonly tools: readonly Tool[];
  close(): Promise<void>;
}

const NONE: McpTools = { tools: [], close: () => Promise.resolve() };

/**
 * The tools of the MCP servers that the agent was given, by the lists that these servers gave last: a server is started at the first call of one of its
 * tools, or here for a list that is not known yet. One that is broken is told in the transcript and left out: it does not end the run.
 */
export async function mcpTools(assignment: Assignment, port: RunnerPort): Promise<McpTools> {
  const { servers: known, notes } = await serversOf(assignment);
  for (const note of notes) notice(port, note);
  const wanted = Object.entries(known);
  if (wanted.length === 0) return NONE;
  const [{ LazyServer }, { ToolLists }] = await Promise.all([
    import('../../../mcp/client/lazy-server.ts'),
    import('../../../mcp/client/tool-lists.ts'),
  ]);
  const { workspace: cwd, project, run_id: runId, hidden_variables: drop, environment, agent } = assignment;
  const place = {
    cwd,
    environment: toolEnvironment({ ...environment, ...agent.env }, { runId, drop }),
    version: '1',
    clock: port.clock,
  };
  const folder = assignment.tool_lists;
  const lists = folder === undefined ? null : new ToolLists(folder, () => port.clock.now());
  const servers: LazyServer[] = [];
  const opened = await Promise.all(
    wanted.map(async ([name, server]) => ({
      name,
      found: await LazyServer.open({ name, server, place, project, lists }),
    })),
  );
  for (const { name, found } of opened) {
    if (found.ok) servers.push(found.value);
    else notice(port, `The MCP server "${name}" is left out: ${found.error}`);
  }
  const taken = new Set<string>();
  const tools = servers.flatMap((server) => {
    const free = known[server.name]?.readOnlyTools ?? [];
    return server.tools.map((tool) => {
      const name = toolName(server.name, tool.name, taken);
      taken.add(name);
      return mcpTool({ server, tool, name, readOnly: free.includes('*') || free.includes(tool.name) }, port);
    });
  });
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

interface ServersTool {
  readonly server: LazyServer;
  readonly tool: ListedTool;
  /** For models. */
  readonly name: string;
  readonly readOnly: boolean;
}

function mcpTool({ server, tool, name, readOnly }: ServersTool, port: RunnerPort): Tool {
  const { properties = {}, ...schema } = tool.inputSchema;
  return {
    name,
    description: tool.description,
    inputSchema: { ...schema, properties } as unknown as InputSchema,
    readOnly,
    permission: readOnly ? 'free' : 'execute',
    check: ok,
    describe: () => `${server.name}: ${tool.name}`,
    run: async (args, { signal }) => {
      const { isError, text, images } = await server.call(tool.name, args, { signal, onProgress: () => port.alive() });
      return { isError, text: cutMiddle(text, RESULT_LIMIT).text, images };
    },
  };
}
