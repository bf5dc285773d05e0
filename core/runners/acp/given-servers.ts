import type { Assignment } from '../../protocol/frames.ts';
import type { AgentProfile } from '../../protocol/profiles/profile.ts';
import { serversOf } from '../mcp-servers.ts';
import { fieldsOf, type Fields } from './wire.ts';

/** MCP servers in the words of the protocol, for the agent to start, and what of them it cannot have, for people. */
export interface GivenServers {
  readonly servers: readonly object[];
  readonly notes: readonly string[];
}

/** The servers that the agent's definition names, beside ours. */
export async function givenServers(
  hello: Fields,
  { assignment, profile }: { readonly assignment: Assignment; readonly profile: AgentProfile },
): Promise<GivenServers> {
  const { servers, notes } = await serversOf(assignment);
  const known = Object.entries(servers);
  if (known.length > 0 && profile.delegates.by === 'unsupported') {
    return { servers: [], notes: [...notes, `${profile.name} gets no MCP servers. ${profile.delegates.how}`] };
  }
  const overHttp = fieldsOf(fieldsOf(hello['agentCapabilities'])['mcpCapabilities'])['http'] === true;
  const given: object[] = [];
  const missed: string[] = [];
  for (const [name, server] of known) {
    if (!('url' in server)) {
      given.push({ name, command: server.command, args: server.args ?? [], env: pairs(server.env ?? {}) });
    } else if (overHttp) {
      given.push({ type: 'http', name, url: server.url, headers: pairs(server.headers ?? {}) });
    } else missed.push(`${profile.name} cannot use the MCP server "${name}", which is not a program.`);
  }
  return { servers: given, notes: [...notes, ...missed] };
}

/** A record as the protocol has it. */
export function pairs(record: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(record).map(([name, value]) => ({ name, value }));
}
