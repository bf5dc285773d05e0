import type { AgentDefinition, AgentFieldChanges } from '../../../core/protocol/agents.ts';

/** A definition that is being written or changed. */
export interface AgentDraft {
  /** Whose it is: a project's, or with null the user's. */
  readonly projectId: string | null;
  /** Its file, absolute; null for one that is to be made. */
  readonly path: string | null;
  readonly text: string;
  /** Of the text as it was read; null for one that is to be made. */
  readonly digest: string | null;
}

/** What the form shows of a definition, as texts. */
export type FormField = Exclude<keyof AgentFieldChanges, 'args' | 'max_cost_usd' | 'timeout_seconds' | 'effort'>;

const listed = (names: readonly string[] | undefined): string =>
  (names ?? []).filter((name) => name !== 'report_result').join(', ');

/** The values of the form: what the definition says, an empty text where it says nothing. */
export function valuesOf(agent: AgentDefinition): Readonly<Record<FormField, string>> {
  const { id, description, adapter, runner, model, permission, isolation, color, command } = agent;
  return {
    name: id,
    description: description === `${runner} agent` ? '' : description,
    runner: adapter ?? runner,
    command: command ?? '',
    model: model ?? '',
    permission: permission ?? '',
    isolation: isolation ?? '',
    color: color ?? '',
    tools: listed(agent.tools),
    disallowed_tools: listed(agent.disallowed_tools),
    skills: listed(agent.skills),
    mcp_servers: listed(agent.mcp_servers),
    max_turns: agent.limits?.max_turns === undefined ? '' : String(agent.limits.max_turns),
  };
}

const LISTS: ReadonlySet<FormField> = new Set(['tools', 'disallowed_tools', 'skills', 'mcp_servers']);

/** A field that was changed in the form, as it is written: nothing for an empty one. */
export function changeOf(field: FormField, value: string): AgentFieldChanges {
  const text = value.trim();
  if (text === '') return { [field]: null };
  if (LISTS.has(field)) return { [field]: text.split(',').flatMap((name) => name.trim() || []) };
  if (field === 'max_turns') return { [field]: /^\d+$/.test(text) ? Number(text) : text };
  return { [field]: text };
}

/** The text of a new definition of a name that nobody has. */
export function newText(taken: readonly string[]): string {
  return `---\nname: ${freeName('my-agent', taken)}\n---\n\n`;
}

/** A name that is free, made of one that is not. */
export function freeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  const stem = name.replace(/-\d+$/, '').slice(0, 58);
  for (let n = 2; ; n += 1) if (!taken.includes(`${stem}-${n}`)) return `${stem}-${n}`;
}

/** What an agent that no file defines would be as a file. */
export function fieldsOf(agent: AgentDefinition): AgentFieldChanges {
  const { description, args, effort, limits } = agent;
  const values = Object.entries(valuesOf(agent)).map(([field, value]) => changeOf(field as FormField, value));
  const more = {
    ...(args === undefined ? {} : { args }),
    ...(effort === undefined ? {} : { effort }),
    ...(limits?.max_cost_usd === undefined ? {} : { max_cost_usd: limits.max_cost_usd }),
    ...(limits?.timeout_seconds === undefined ? {} : { timeout_seconds: limits.timeout_seconds }),
  };
  const all = Object.assign({ description }, ...values, more) as AgentFieldChanges;
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}
