import type { Assignment } from '../../protocol/frames.ts';
import { secretsOf } from './redactor.ts';
import { headerSecrets, SHORTEST_SECRET, variableSecrets } from './secret-values.ts';

/**
 * What must not be in the stored output of a run's tools and programs, whoever prints it (K4, case 51): the values of key variables,
 * what authenticates at its models and MCP servers, and the telling variables of its agent.
 */
export function outputSecrets({
  environment,
  hidden_variables,
  agent,
  models,
  mcp_servers = {},
}: Assignment): string[] {
  const hidden = new Set(hidden_variables.map((name) => name.toUpperCase()));
  const keys = Object.entries(environment).flatMap(([name, value]) => (hidden.has(name.toUpperCase()) ? [value] : []));
  return [
    ...keys.map((key) => key.trim()).filter((key) => key.length >= SHORTEST_SECRET),
    ...variableSecrets(agent.env),
    ...models.flatMap(secretsOf),
    ...Object.values(mcp_servers).flatMap((server) =>
      'url' in server ? headerSecrets(server.headers) : variableSecrets(server.env),
    ),
  ];
}
