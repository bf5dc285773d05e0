import { err, ok, type Result } from '../../kit/result.ts';

/** The two parts of a definition file. */
export interface AgentDocument {
  /** Front matter, by the names that were written. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** What follows it: the agent's instructions. */
  readonly body: string;
  readonly warnings: readonly string[];
}

const FRONT = /^\uFEFF?---[ \t]*\r?\n([^]*?)\r?\n?---[ \t]*(?:\r?\n([^]*))?$/;
const LINE = /^([A-Za-z][\w -]{0,40}):(?:[ \t]+(.*))?$/;

/** Takes a definition file apart; null when it has no front matter. The error says in words what is wrong with it. */
export async function readAgentDocument(text: string): Promise<Result<AgentDocument | null, string>> {
  const match = FRONT.exec(text);
  if (match === null) return ok(null);
  const [, yaml = '', body = ''] = match;
  const read = await fieldsOf(yaml);
  if (read.ok) return ok({ fields: read.value, body: body.trim(), warnings: [] });
  // Descriptions with a colon in them are common, and their readers elsewhere take lines as they are.
  const fields = lineByLine(yaml);
  if (fields === null) return read;
  return ok({ fields, body: body.trim(), warnings: [`Its front matter is read line by line: ${read.error}`] });
}

/** The parser is loaded by those who have a definition only. */
async function fieldsOf(yaml: string): Promise<Result<Readonly<Record<string, unknown>>, string>> {
  const { parseFrontMatter } = await import('../front-matter/parse-document.ts');
  const document = parseFrontMatter(yaml);
  const [fault] = document.errors;
  if (fault !== undefined) return err(`it is no YAML: ${fault.message.split('\n')[0] ?? ''}`);
  try {
    const value: unknown = document.toJS({ maxAliasCount: 10 });
    if (value === null) return ok({});
    if (typeof value === 'object' && !Array.isArray(value)) return ok(value as Record<string, unknown>);
  } catch (cause) {
    return err(`it cannot be read: ${String(cause)}`);
  }
  return err('it must be a list of fields');
}

/** `name: text to the end of the line`, and lists of `- item` lines; null when it has any other form. */
function lineByLine(yaml: string): Record<string, unknown> | null {
  const fields: Record<string, unknown> = {};
  let list: string[] | null = null;
  for (const line of yaml.split(/\r?\n/)) {
    if (line.trim() === '') continue;
    const item = /^\s*-\s+(.+)$/.exec(line)?.[1];
    if (item !== undefined && list !== null) {
      list.push(item.trim());
      continue;
    }
    const [, name, value = ''] = LINE.exec(line) ?? [];
    if (name === undefined || Object.hasOwn(fields, name)) return null;
    list = value.trim() === '' ? [] : null;
    fields[name] = list ?? unquoted(value.trim());
  }
  return fields;
}

function unquoted(text: string): string {
  return /^"(.*)"$/.exec(text)?.[1] ?? /^'(.*)'$/.exec(text)?.[1] ?? text;
}
