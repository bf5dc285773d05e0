import { cutMiddle } from '../../../kit/cut-middle.ts';
import { ok } from '../../../kit/result.ts';
import { toolEnvironment } from '../../../kit/process-tree/tool-environment.ts';
import type { Assignment } from '../../../protocol/frames.ts';
import type { McpServerSettings } from '../../../protocol/settings.ts';
import { withVariables } from '../../../mcp/client/variables.ts';
import { readDefinitions } from '../../../workspace/trust/project-definitions.ts';
import type { LazyServer } from '../../../mcp/client/lazy-server.ts';
import type { ListedTool } from '../../../mcp/client/tool-lists.ts';
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
 * The tools of the MCP servers that the agent was given, by the lists that these servers gave last: a server is started at the first call of one of its
 * tools, or here for a list that is not known yet. One that is broken is told in the transcript and left out: it does not end the run.
 */
export async function mcpTools(assignment: Assignment, port: RunnerPort): Promise<McpTools> {
  const asked = assignment.agent.mcp_servers ?? [];
  if (asked.length === 0) return NONE;
  const { servers: ofProject, fault } = await projectServers(assignment, asked);
  if (fault !== null) notice(port, fault);
  // The project knows best what its servers are (project over user).
  const known = { ...assignment.mcp_servers, ...ofProject };
  const wanted = Object.entries(known);
  for (const name of asked) {
    if (name !== '*' && known[name] === undefined) notice(port, `There is no MCP server "${name}".`);
  }
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

/** Servers of the project's `.mcp.json` that were asked for, if what the project defines is what a person has trusted (A4). */
async function projectServers(
  { project, skills, environment }: Assignment,
  asked: readonly string[],
): Promise<{ readonly servers: Readonly<Record<string, McpServerSettings>>; readonly fault: string | null }> {
  if (skills?.project == null) return { servers: {}, fault: null };
  const { digest, files } = await readDefinitions(project);
  const file = files.get('.mcp.json');
  if (file === undefined || digest !== skills.project) return { servers: {}, fault: null };
  const { parseServers } = await import('../../../mcp/client/parse-servers.ts');
  const { servers, faults } = parseServers(file.toString());
  const wanted = Object.entries(servers).filter(([name]) => asked.includes('*') || asked.includes(name));
  const filled = wanted.map(([name, server]) => [name, withVariables(server, environment)] as const);
  return { servers: Object.fromEntries(filled), fault: faults.length === 0 ? null : `.mcp.json: ${faults.join(' ')}` };
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
