import { AGENT_PROFILES } from '../../protocol/profiles/agent-profiles.ts';
import { AgentSettings, RunLimits } from '../../protocol/settings.ts';
import type { FieldName } from './field-names.ts';
import { toolWords } from './tool-words.ts';

/** What is taken over from a definition, bit by bit. */
export interface Draft {
  name: string | null;
  readonly settings: Partial<AgentSettings>;
  readonly warnings: string[];
  /** Tools that exist here. */
  readonly knownTools: readonly string[];
}

/** Takes a value over; answers what is wrong with it, or null. A value that is not understood never counts as absent: that could allow more. */
type Read = (value: unknown, draft: Draft) => string | null;

const MODES: Readonly<Record<string, AgentSettings['permission']>> = {
  plan: 'plan',
  readonly: 'plan',
  ask: 'ask',
  default: 'ask',
  dontask: 'plan',
  edit: 'edit',
  acceptedits: 'edit',
  auto: 'auto',
  full: 'auto',
  bypasspermissions: 'auto',
};

const READERS: Readonly<Record<FieldName, Read>> = {
  name: (value, draft) => {
    if (typeof value !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(value.trim()))
      return 'must be 1 to 64 letters, digits, "_" or "-"';
    draft.name = value.trim();
    return null;
  },
  description: (value, draft) => {
    if (typeof value !== 'string') return 'must be a text';
    draft.settings.description = value.replaceAll(/\s+/g, ' ').trim();
    return null;
  },
  runner: (value, draft) => {
    const profile = AGENT_PROFILES.find(({ id }) => id === value);
    if (profile === undefined) return take('runner')(value, draft);
    Object.assign(draft.settings, { runner: profile.runner, adapter: profile.id });
    return null;
  },
  adapter: (value, draft) => {
    const profile = AGENT_PROFILES.find(({ id }) => id === value);
    if (profile === undefined) return `must be one of ${AGENT_PROFILES.map(({ id }) => id).join(', ')}`;
    Object.assign(draft.settings, { runner: profile.runner, adapter: profile.id });
    return null;
  },
  command: take('command'),
  args: list('args'),
  env: (value, draft) => {
    const texts =
      typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, text]) => [name, scalar(text) ?? text]))
        : value;
    return take('env')(texts, draft);
  },
  model: (value, draft) => (value === 'inherit' || value === null ? null : take('model')(value, draft)),
  fallback_models: list('fallback_models'),
  effort: (value, draft) => {
    if (value !== 'max' && value !== 'xhigh') return take('effort')(value, draft);
    draft.warnings.push(`The effort "${value}" is "high" here.`);
    draft.settings.effort = 'high';
    return null;
  },
  tools: (value, draft) => {
    const words = wordsOf(value);
    if (words === null) return 'must be a list of names';
    if (words.includes('*')) return null;
    const { tools, warnings } = toolWords(words, draft.knownTools, 'allowed');
    draft.warnings.push(...warnings);
    // How structured results are handed in; it reaches nothing.
    draft.settings.tools = [...new Set([...tools, 'report_result'])];
    return null;
  },
  disallowed_tools: (value, draft) => {
    const words = wordsOf(value);
    if (words === null) return 'must be a list of names';
    const { tools, warnings } = toolWords(words, draft.knownTools, 'denied');
    draft.warnings.push(...warnings);
    draft.settings.disallowed_tools = [...tools];
    return null;
  },
  skills: list('skills'),
  mcp_servers: (value, draft) => {
    if (!Array.isArray(value) && typeof value === 'object' && value !== null) return serverNames([value], draft);
    return Array.isArray(value) ? serverNames(value, draft) : list('mcp_servers')(value, draft);
  },
  permission: (value, draft) => {
    const mode = typeof value === 'string' ? MODES[value.toLowerCase().replaceAll(/[-_ ]/g, '')] : undefined;
    if (mode === undefined) return 'must be plan, ask, edit or auto';
    if (value === 'dontAsk') draft.warnings.push('"dontAsk" is "plan" here: what would be asked is not done.');
    draft.settings.permission = mode;
    return null;
  },
  isolation: (value, draft) => take('isolation')(value === false || value === null ? 'none' : value, draft),
  once_per_child: take('once_per_child'),
  color: take('color'),
  limits: (value, draft) => {
    const read = RunLimits.safeParse(value);
    if (!read.success) return 'must hold limits only, such as max_turns';
    draft.settings.limits = { ...draft.settings.limits, ...read.data };
    return null;
  },
  max_turns: limit('max_turns'),
  max_tool_calls: limit('max_tool_calls'),
  max_cost_usd: limit('max_cost_usd'),
  max_tokens: limit('max_tokens'),
  timeout_seconds: limit('timeout_seconds'),
  idle_timeout_seconds: limit('idle_timeout_seconds'),
};

/** Takes over the value of a field; answers in words what is wrong with it, or null. */
export function readField(field: FieldName, value: unknown, draft: Draft): string | null {
  return READERS[field](value, draft);
}

function take(field: keyof AgentSettings): Read {
  return (value, { settings }) => {
    const read = AgentSettings.shape[field].safeParse(value);
    if (!read.success)
      return (read.error.issues[0]?.message ?? 'is not understood').replace(/^./, (c) => c.toLowerCase());
    Object.assign(settings, { [field]: read.data });
    return null;
  };
}

function list(field: 'args' | 'fallback_models' | 'skills' | 'mcp_servers'): Read {
  return (value, { settings }) => {
    // Arguments may hold commas and spaces: there a text is one of them.
    const words = field === 'args' && typeof value === 'string' ? [value] : wordsOf(value);
    if (words === null) return 'must be a list of texts';
    settings[field] = words;
    return null;
  };
}

function limit(field: keyof RunLimits): Read {
  return (value, draft) => {
    const read = RunLimits.shape[field].safeParse(typeof value === 'string' ? Number(value) : value);
    if (!read.success) return 'must be a number above 0';
    draft.settings.limits = { ...draft.settings.limits, [field]: read.data };
    return null;
  };
}

/** Servers are named; what starts one is in settings or the project's `.mcp.json`. */
function serverNames(values: readonly unknown[], draft: Draft): string | null {
  const names: string[] = [];
  for (const value of values) {
    const named = typeof value === 'object' && value !== null ? Object.keys(value) : [];
    if (named.length > 0) {
      draft.warnings.push(`The server ${named.join(', ')} is only named here; put what starts it into .mcp.json.`);
    }
    const text = scalar(value);
    if (text === null && named.length === 0) return 'must be a list of names';
    names.push(...(text === null ? named : [text]));
  }
  draft.settings.mcp_servers = names;
  return null;
}

/** A list, or a text with commas, as its words; null when it is neither. */
function wordsOf(value: unknown): string[] | null {
  if (value === null || value === '') return [];
  const items: readonly unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? splitOutside(value)
      : [{}];
  const words = items.map(scalar);
  return words.every((word) => word !== null) ? words.map((word) => word.trim()).filter((word) => word !== '') : null;
}

/** Splits at commas that are in no parentheses: `Bash(a, b), Read` are two. */
function splitOutside(text: string): string[] {
  return text.match(/(?:[^,(]|\([^)]*\)?)+/g) ?? [];
}

function scalar(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
