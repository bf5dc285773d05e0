import { err, ok, type Result } from '../../kit/result.ts';
import { plainText } from '../../kit/terminal-text.ts';
import { AgentDefinition } from '../../protocol/agents.ts';
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
  const faults: string[] = [];
  for (const [written, value] of Object.entries(fields)) {
    const field = fieldOf(written);
    if (field === null) draft.warnings.push(`"${plainText(written)}" is unknown here and does nothing.`);
    else if (field === 'foreign') draft.warnings.push(`"${written}" does nothing here.`);
    else {
      const fault = readField(field, value, draft);
      if (fault !== null) faults.push(`"${written}" ${fault}.`);
    }
  }
  return faults;
}

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
