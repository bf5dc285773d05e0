import { err, ok, type Result } from '../../kit/result.ts';
import { plainText } from '../../kit/terminal-text.ts';
import { AgentDefinition, type AgentReview } from '../../protocol/agents.ts';
import { readAgentDocument } from './agent-document.ts';
import { fieldOf } from './field-names.ts';
import { readField, type Draft } from './read-fields.ts';

/** A file that defines an agent. */
export interface ParsedAgent {
  readonly agent: AgentDefinition;
  /** What of it is not used as written, in words. */
  readonly warnings: readonly string[];
}

/** Where a definition comes from. */
export interface AgentOrigin {
  readonly source: 'user' | 'project';
  /** Absolute. */
  readonly path: string;
  /** Tools that exist here. */
  readonly knownTools: readonly string[];
}

/**
 * Reads a definition: front matter and, below it, the agent's instructions. Null for a text that is none. One that does not say its name has that of
 * its file. The error says in words why it cannot be used: a field that is known and not understood is never taken for absent.
 */
export async function parseAgent(text: string, origin: AgentOrigin): Promise<Result<ParsedAgent | null, string>> {
  const read = await readAgentDocument(text);
  if (!read.ok) return err(`Its front matter cannot be used: ${read.error}`);
  if (read.value === null) return ok(null);
  const { fields, body, warnings } = read.value;
  const draft: Draft = { name: null, settings: {}, warnings: [...warnings], knownTools: origin.knownTools };
  const faults = takeFields(fields, draft);
  if (faults.length > 0) return err(faults.join(' '));
  const name = draft.name ?? fileName(origin.path);
  if (name === null) return err('It has no name, and that of its file cannot be one.');
  adviseModel(draft);
  return finished(name, draft, body, origin);
}

function takeFields(fields: Readonly<Record<string, unknown>>, draft: Draft): string[] {
  return Object.entries(fields).flatMap(([written, value]) => {
    const fault = takeField(written, value, draft);
    return fault === null ? [] : [`"${written}" ${fault}.`];
  });
}

/** Takes one written field over; answers what is wrong with it, or null. */
function takeField(written: string, value: unknown, draft: Draft): string | null {
  const field = fieldOf(written);
  if (field !== null && field !== 'foreign') return readField(field, value, draft);
  const odd =
    field === null ? `"${plainText(written)}" is unknown here and does nothing.` : `"${written}" does nothing here.`;
  draft.warnings.push(odd);
  return null;
}

/** A text that is being edited: what is wrong or odd, field by field. Never refuses one. */
export async function reviewAgent(text: string, origin: AgentOrigin): Promise<AgentReview> {
  const parsed = await parseAgent(text, origin);
  const read = await readAgentDocument(text);
  const document = read.ok ? read.value : null;
  const fields = Object.entries(document?.fields ?? {}).map(([name, value]) => reviewField(name, value, origin));
  const onFields = new Set(fields.flatMap(({ warnings }) => warnings));
  const body = document?.body ?? '';
  if (!parsed.ok) return { fault: parsed.error, fields, warnings: [], agent: null, body };
  if (parsed.value === null) return { fault: NO_DEFINITION, fields, warnings: [], agent: null, body };
  const { agent, warnings } = parsed.value;
  return { fault: null, fields, warnings: warnings.filter((warning) => !onFields.has(warning)), agent, body };
}

function reviewField(name: string, value: unknown, { knownTools }: AgentOrigin): AgentReview['fields'][number] {
  const draft: Draft = { name: null, settings: {}, warnings: [], knownTools };
  const fault = takeField(name, value, draft);
  const field = fieldOf(name);
  return { name, field: field === 'foreign' ? null : field, fault, warnings: draft.warnings };
}

/** What a text lacks that is no definition. */
export const NO_DEFINITION = 'An agent begins with front matter between two lines of ---, with name and description.';

/** Short names of models are those of one program; ours say whose model it is. */
function adviseModel({ settings, warnings }: Draft): void {
  const { runner = 'builtin', model } = settings;
  if (runner !== 'builtin' || model === undefined || model.includes('/')) return;
  warnings.push(`The model "${model}" is not named as <provider>/<model>; the default model is used.`);
  delete settings.model;
}

function finished(
  id: string,
  { settings, warnings }: Draft,
  body: string,
  { source, path }: AgentOrigin,
): Result<ParsedAgent, string> {
  const { runner = 'builtin', description = '' } = settings;
  if (description === '') warnings.push('It has no description: nobody can tell when to choose it.');
  const whole = AgentDefinition.safeParse({
    ...settings,
    id,
    runner,
    source,
    path,
    description: description === '' ? `${runner} agent` : cut(plainText(description)),
    ...(body === '' ? {} : { prompt: body }),
  });
  if (!whole.success) return err(whole.error.issues.map(({ message }) => message).join(' '));
  return ok({ agent: whole.data, warnings });
}

/** Descriptions are chosen by; longer ones are not read. */
const DESCRIPTION_CHARS = 1024;

function cut(text: string): string {
  const characters = Array.from(text);
  return characters.length <= DESCRIPTION_CHARS ? text : `${characters.slice(0, DESCRIPTION_CHARS - 1).join('')}…`;
}

function fileName(path: string): string | null {
  const name = (path.split(/[\\/]/).at(-1) ?? '').replace(/\.md$/i, '');
  return /^[A-Za-z0-9_-]{1,64}$/.test(name) ? name : null;
}
