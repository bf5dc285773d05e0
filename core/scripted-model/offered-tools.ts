import { asObjects, asString } from './json.ts';
import type { JsonObject } from './json.ts';

/** A tool as a reply has to name it. */
export interface OfferedTool {
  readonly name: string;
  /** Some clients nest tools in namespaces, and want the namespace back with the call. */
  readonly namespace: string | null;
}

/**
 * The tool that a script means by `name`. A script says `delegate_task`; each client offers the tools of a server under a name of its own
 * (`mcp__espalier__delegate_task`, `espalier_delegate_task`), so the only one that ends in it is meant when none has the name itself.
 */
export function offeredTool(body: JsonObject, name: string): OfferedTool {
  const offered = toolsOf(body);
  const exact = offered.find((tool) => tool.name === name);
  if (exact) return exact;
  const [only, second] = offered.filter((tool) => tool.name.endsWith(`_${name}`));
  return only !== undefined && second === undefined ? only : { name, namespace: null };
}

function toolsOf(body: JsonObject): OfferedTool[] {
  return asObjects(body['tools']).flatMap((tool) => {
    const name = asString(tool['name']);
    if (tool['type'] === 'namespace') return named(asObjects(tool['tools']), name ?? null);
    if (name !== undefined) return [{ name, namespace: null }];
    const inner = tool['functionDeclarations'] ?? [tool['function']];
    return named(asObjects(inner), null);
  });
}

function named(tools: readonly JsonObject[], namespace: string | null): OfferedTool[] {
  return tools.flatMap((tool) => {
    const name = asString(tool['name']);
    return name === undefined ? [] : [{ name, namespace }];
  });
}
