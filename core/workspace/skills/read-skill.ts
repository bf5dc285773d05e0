import { plainText } from '../../kit/terminal-text.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { openInside } from '../containment/open-inside.ts';

/** What a skill says of itself. */
export interface SkillHead {
  readonly name: string;
  readonly description: string;
}

/** Name of the file that a skill is. */
export const SKILL_FILE = 'SKILL.md';

/** The front matter must end within so many bytes; what follows is for those who read the skill. */
const HEAD_BYTES = 16 * 1024;
/** A longer description is cut: it is to be chosen by, not to be worked by. */
const DESCRIPTION_CHARS = 1024;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * Reads the front matter of the skill whose file is at `path` below `root` (K1), following no link out of `root`; null when none is there. One that
 * does not say its name has that of its `folder`. The error says in words what is wrong with it.
 */
export async function readSkill(root: string, path: string, folder: string): Promise<Result<SkillHead | null, string>> {
  const opened = await openInside(root, path);
  if (!opened.ok) return opened.error.code === 'not_found' ? ok(null) : err(opened.error.message);
  const { handle } = opened.value;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return await headOf(new TextDecoder().decode(buffer.subarray(0, bytesRead)), folder);
  } catch (cause) {
    return err(`it cannot be read: ${String(cause)}`);
  } finally {
    await handle.close();
  }
}

async function headOf(text: string, folder: string): Promise<Result<SkillHead, string>> {
  const [, yaml] = /^\uFEFF?---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  if (yaml === undefined) {
    return err(`it does not begin with front matter between two lines of --- (within ${HEAD_BYTES / 1024} KiB)`);
  }
  const front = await fieldsOf(yaml);
  if (typeof front === 'string') return err(front);
  const name = front['name'] === undefined ? folder : front['name'];
  if (typeof name !== 'string' || !NAME.test(name)) {
    return err('its name must be 1 to 64 letters, digits, ".", "_" or "-"');
  }
  const said = front['description'];
  const description = typeof said === 'string' ? plainText(said).replaceAll(/\s+/g, ' ').trim() : '';
  if (description === '') return err('it has no description that says when to use it');
  return ok({ name, description: cut(description) });
}

/** The fields, or what is wrong. The parser is loaded by those who have a skill only: each worker would pay for it. */
async function fieldsOf(yaml: string): Promise<Readonly<Record<string, unknown>> | string> {
  const { parseFrontMatter } = await import('../front-matter/parse-document.ts');
  const document = parseFrontMatter(yaml);
  const [fault] = document.errors;
  if (fault !== undefined) return `its front matter is no YAML: ${fault.message.split('\n')[0] ?? ''}`;
  try {
    const value: unknown = document.toJS({ maxAliasCount: 10 });
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (cause) {
    return `its front matter cannot be read: ${String(cause)}`;
  }
  return 'its front matter must be a list of fields';
}

function cut(description: string): string {
  const characters = Array.from(description);
  if (characters.length <= DESCRIPTION_CHARS) return description;
  return `${characters.slice(0, DESCRIPTION_CHARS - 1).join('')}…`;
}
