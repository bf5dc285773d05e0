import type { Assignment } from '../protocol/frames.ts';
import type { McpServerSettings } from '../protocol/settings.ts';
import { withVariables } from '../mcp/client/variables.ts';
import { readDefinitions } from '../workspace/trust/project-definitions.ts';

type Servers = Readonly<Record<string, McpServerSettings>>;

/** The MCP servers that an agent is to have, by name, and what of them cannot be had, for people. */
export interface ServersOfAgent {
  readonly servers: Servers;
  readonly notes: readonly string[];
}

/** The servers that the agent's definition names: those of a trusted project over those of the settings, as it knows best what its servers are. */
export async function serversOf(assignment: Assignment): Promise<ServersOfAgent> {
  const asked = assignment.agent.mcp_servers ?? [];
  if (asked.length === 0) return { servers: {}, notes: [] };
  const { servers: ofProject, fault } = await projectServers(assignment, asked);
  const servers = { ...assignment.mcp_servers, ...ofProject };
  const missing = asked.filter((name) => name !== '*' && servers[name] === undefined);
  const notes = missing.map((name) => `There is no MCP server "${name}".`);
  return { servers, notes: fault === null ? notes : [fault, ...notes] };
}

/** Servers of the project's `.mcp.json` that were asked for, if what the project defines is what a person has trusted (A4). */
async function projectServers(
  { project, skills, environment }: Assignment,
  asked: readonly string[],
): Promise<{ readonly servers: Servers; readonly fault: string | null }> {
  if (skills?.project == null) return { servers: {}, fault: null };
  const { digest, files } = await readDefinitions(project);
  const file = files.get('.mcp.json');
  if (file === undefined || digest !== skills.project) return { servers: {}, fault: null };
  const { parseServers } = await import('../mcp/client/parse-servers.ts');
  const { servers, faults } = parseServers(file.toString());
  const wanted = Object.entries(servers).filter(([name]) => asked.includes('*') || asked.includes(name));
  const filled = wanted.map(([name, server]) => [name, withVariables(server, environment)] as const);
  return { servers: Object.fromEntries(filled), fault: faults.length === 0 ? null : `.mcp.json: ${faults.join(' ')}` };
}
