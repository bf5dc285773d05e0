import { err, ok, type Result } from '../../kit/result.ts';
import type { AgentFieldChanges } from '../../protocol/agents.ts';
import type { parseFrontMatter } from '../front-matter/parse-document.ts';
import { fieldOf } from './field-names.ts';

type Front = ReturnType<typeof parseFrontMatter>;

const FRONT = /^\uFEFF?---[ \t]*\r?\n([^]*?)\r?\n?---[ \t]*(?:\r?\n([^]*))?$/;

interface TextChanges {
  readonly set: AgentFieldChanges;
  /** Fields to take out, as they are written. */
  readonly drop?: readonly string[] | undefined;
  /** The instructions. */
  readonly body?: string | undefined;
}

/**
 * A definition with some fields as others, for a form: comments, unknown fields and their order stay, and a field keeps the spelling that it was written
 * with. A text whose front matter is no YAML is edited as a text only; the error says so.
 */
export async function editAgentText(text: string, changes: TextChanges): Promise<Result<string, string>> {
  const match = FRONT.exec(text);
  const [, yaml = '', before = match === null ? text : ''] = match ?? [];
  const { parseFrontMatter } = await import('../front-matter/parse-document.ts');
  const document = parseFrontMatter(yaml);
  if (document.errors.length > 0) return err('Its front matter is no YAML: change it as a text.');
  const written: unknown = document.toJS({ maxAliasCount: 10 }) ?? {};
  if (typeof written !== 'object' || Array.isArray(written)) return err('Its front matter is no list of fields.');
  setFields(document, Object.keys(written as object), changes);
  const front = document.toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd();
  const isEmpty = front === 'null' || front === '{}';
  return ok(`---\n${isEmpty ? '' : `${front}\n`}---\n\n${below(before, changes.body)}`);
}

function setFields(document: Front, written: readonly string[], { set, drop = [] }: TextChanges): void {
  for (const name of drop) document.delete(name);
  for (const [field, value] of Object.entries(set)) {
    const [name = field, ...others] = written.filter((one) => fieldOf(one) === field);
    for (const other of others) document.delete(other);
    if (value === null || value === '') document.delete(name);
    // A plain value keeps the comment behind the one before it.
    else document.set(name, Array.isArray(value) ? document.createNode(value, { flow: true }) : value);
  }
}

function below(before: string, body: string | undefined): string {
  return body === undefined ? before.replace(/^\r?\n/, '') : `${body.trim()}\n`;
}
