import { cutMiddle } from '../../../kit/cut-middle.ts';
import { ok } from '../../../kit/result.ts';
import { toolEnvironment } from '../../../kit/process-tree/tool-environment.ts';
import type { Assignment } from '../../../protocol/frames.ts';
import type { McpServerSettings } from '../../../protocol/settings.ts';
import { withVariables } from '../../../mcp/client/variables.ts';
import { readDefinitions } from '../../../workspace/trust/project-definitions.ts';
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
