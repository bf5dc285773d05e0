import { createContext, Script } from 'node:vm';
import type { ErrorObject, ValidateFunction } from 'ajv';

/** Says what is wrong with a value, one line an error; empty when it fits. */
export type Validator = (value: unknown) => readonly string[];

/** A pattern may backtrack without end (case 23); a result is checked within this time or not accepted. */
const LIMIT_MS = 2000;
const MOST_ERRORS = 10;

/**
 * The check of an output schema that was accepted at dispatch (S3): drafts 2020-12 and 7, local references, nothing fetched, each check bounded
 * in time. The validator is loaded only here: most runs have no schema, and it costs more time than a worker takes to start.
 */
export async function schemaValidator(schema: Readonly<Record<string, unknown>>): Promise<Validator> {
  const isDraft7 = typeof schema['$schema'] === 'string' && schema['$schema'].includes('draft-07');
  const { schemaCompiler } = await import('../kit/schema-compiler.ts');
  const ajv = schemaCompiler(isDraft7 ? '7' : '2020-12');
  const check = ajv.compile(schema);
  return (value) => checked(check, value);
}

function checked(check: ValidateFunction, value: unknown): readonly string[] {
  // Code that is run through `vm` can be ended from outside, also in the middle of a regular expression.
  const context = createContext({ check: () => check(value) });
  try {
    const fits: unknown = new Script('check()').runInContext(context, { timeout: LIMIT_MS });
    if (fits === true) return [];
  } catch (cause) {
    const isTimeout = (cause as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    const what = isTimeout ? `took longer than ${LIMIT_MS / 1000} s` : `failed (${(cause as Error).message})`;
    return [`the check against the schema ${what}`];
  }
  return (check.errors ?? []).slice(0, MOST_ERRORS).map(errorLine);
}

function errorLine({ instancePath, keyword, message, params }: ErrorObject): string {
  const place = instancePath === '' ? 'the value' : instancePath;
  const details = params as { additionalProperty?: unknown; allowedValues?: unknown; allowedValue?: unknown };
  if (keyword === 'additionalProperties')
    return `${place} must not have the property ${JSON.stringify(details.additionalProperty)}`;
  if (keyword === 'enum') return `${place} must be one of ${JSON.stringify(details.allowedValues)}`;
  if (keyword === 'const') return `${place} must be ${JSON.stringify(details.allowedValue)}`;
  return `${place} ${message ?? 'does not match the schema'}`;
}
