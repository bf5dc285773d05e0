import { z } from 'zod';
import { Settings } from '../../protocol/settings.ts';
import { nearestWord } from '../progress/nearest-word.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

/** A key that there is not, with the one that was probably meant; `at` is the dotted place of the object in which it stands, '' for the top. */
export function unknownKey(key: string, at = ''): string {
  const near = nearestWord(key, keysAt(at === '' ? [] : at.split('.')));
  const place = at === '' ? '' : ` in ${at}`;
  return `There is no setting "${key}"${place}.${near === null ? '' : ` Did you mean "${near}"?`}`;
}

/** What does not fit in settings, a sentence for each place. */
export function settingsProblems(error: z.ZodError): string {
  return error.issues.map(problemOf).join(' ');
}

function problemOf(issue: z.core.$ZodIssue): string {
  const at = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, at)).join(' ');
  if (issue.code === 'invalid_key') {
    const place = issue.path.slice(0, -1).map(String).join('.');
    return `"${String(issue.path.at(-1) ?? '')}" is no name for one of ${place}: it has at most 64 letters, digits, _ and -.`;
  }
  const wanted = wantedBy(issue);
  const name = at === '' ? 'The file' : at;
  return wanted === null ? `${name} does not fit: ${issue.message}.` : `${name} is to be ${wanted}.`;
}

/** What stands after "is to be"; null for what has only its own message. */
function wantedBy(issue: z.core.$ZodIssue): string | null {
  if (issue.code === 'invalid_type') return KINDS[issue.expected] ?? issue.expected;
  if (issue.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value)).join(' or ');
  if (issue.code === 'too_small')
    return `${issue.inclusive === true ? 'at least' : 'more than'} ${String(issue.minimum)}`;
  if (issue.code === 'too_big') return `at most ${String(issue.maximum)}`;
  return issue.code === 'invalid_format' && issue.format === 'url' ? 'an address' : null;
}

const KINDS: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** The keys that the object at this place may have. */
function keysAt(path: readonly string[]): string[] {
  const top = z.toJSONSchema(Settings, { io: 'input' }) as Schema;
  return Object.keys(path.reduce<Schema>(below, top).properties ?? {});
}

function below({ properties, additionalProperties }: Schema, step: string): Schema {
  return properties?.[step] ?? (typeof additionalProperties === 'object' ? additionalProperties : {});
}
