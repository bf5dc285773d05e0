/** Fields of a definition that are used. */
export const FIELDS = [
  'name',
  'description',
  'runner',
  'adapter',
  'command',
  'args',
  'env',
  'model',
  'fallback_models',
  'effort',
  'tools',
  'disallowed_tools',
  'skills',
  'mcp_servers',
  'permission',
  'isolation',
  'once_per_child',
  'color',
  'limits',
  'max_turns',
  'max_tool_calls',
  'max_cost_usd',
  'max_tokens',
  'timeout_seconds',
  'idle_timeout_seconds',
] as const;
export type FieldName = (typeof FIELDS)[number];

const BY_WORD = new Map<string, FieldName>(FIELDS.map((name) => [plain(name), name]));
/** Names that other programs have for the same. */
const ALIASES: Readonly<Record<string, FieldName>> = {
  permissionmode: 'permission',
  colour: 'color',
  allowedtools: 'tools',
  mcp: 'mcp_servers',
  timeout: 'timeout_seconds',
  reasoningeffort: 'effort',
};
/** Of other programs, and of no use here. */
const FOREIGN = new Set(['hooks', 'memory', 'background', 'mode', 'temperature', 'version', 'license', 'metadata']);

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ ]/g, '');
}

/** The field that a written name means: in any of the usual spellings. `foreign`: other programs have it, and it does nothing here. */
export function fieldOf(written: string): FieldName | 'foreign' | null {
  const name = plain(written);
  return BY_WORD.get(name) ?? ALIASES[name] ?? (FOREIGN.has(name) ? 'foreign' : null);
}
