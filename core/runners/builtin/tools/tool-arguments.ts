import { err, ok, type Result } from '../../../kit/result.ts';

/** One argument of a built-in tool, as JSON Schema. */
export interface ArgumentField {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly enum?: readonly string[];
}

export type ArgumentFields = Readonly<Record<string, ArgumentField>>;

type ValueOf<F extends ArgumentField> = F['type'] extends 'string'
  ? string
  : F['type'] extends 'boolean'
    ? boolean
    : number;

/** The arguments that pass {@link checkArguments}. */
export type ToolArguments<F extends ArgumentFields, R extends keyof F> = { readonly [K in R]: ValueOf<F[K]> } & {
  readonly [K in Exclude<keyof F, R>]?: ValueOf<F[K]>;
};

/**
 * Checks arguments against flat fields. The built-in tools need no more of JSON Schema than this, and a general validator would
 * cost each worker more time to load and compile (95 ms, measured) than it takes to start.
 * A `null` for an optional field counts as absent. The error names every wrong field and the fix.
 */
export function checkArguments(
  fields: ArgumentFields,
  required: readonly string[],
  args: Readonly<Record<string, unknown>>,
): Result<Readonly<Record<string, unknown>>, string> {
  const given = Object.entries(args).filter(([, value]) => value !== null && value !== undefined);
  const missing = required.filter((name) => given.every(([one]) => one !== name));
  const faults = missing.map((name) => `"${name}" is missing (${fields[name]?.description ?? ''})`);
  for (const [name, value] of given) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const fault = field === undefined ? unknownField(name, Object.keys(fields)) : fieldFault(name, field, value);
    if (fault !== null) faults.push(fault);
  }
  return faults.length === 0 ? ok(Object.fromEntries(given)) : err(faults.join('; '));
}

function unknownField(name: string, known: readonly string[]): string {
  const similar = known.find((one) => fold(name).includes(fold(one)) || fold(one).includes(fold(name)));
  const hint = similar === undefined ? `fields: ${known.join(', ') || 'none'}` : `did you mean "${similar}"?`;
  return `unknown field "${name}" (${hint})`;
}

function fold(name: string): string {
  return name.replace(/[^a-z0-9]/gi, '').toLowerCase();
}

function fieldFault(name: string, field: ArgumentField, value: unknown): string | null {
  if (typeof value === 'string' && field.type === 'string') return textFault(name, field, value);
  if (typeof value === 'number' && field.type === 'integer' && Number.isSafeInteger(value))
    return numberFault(name, field, value);
  if (typeof value === field.type) return null;
  return `"${name}" must be ${field.type === 'integer' ? 'an integer' : `a ${field.type}`}, not ${JSON.stringify(value).slice(0, 60)}`;
}

function textFault(name: string, field: ArgumentField, value: string): string | null {
  if (value.length < (field.minLength ?? 0)) return `"${name}" must not be empty`;
  if (field.enum !== undefined && !field.enum.includes(value))
    return `"${name}" must be one of ${field.enum.join(', ')}`;
  return null;
}

function numberFault(name: string, field: ArgumentField, value: number): string | null {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = field;
  return value < minimum || value > maximum ? `"${name}" must be ${rangeWords(field)}, not ${value}` : null;
}

function rangeWords({ minimum, maximum }: ArgumentField): string {
  if (minimum === undefined) return `at most ${maximum}`;
  return maximum === undefined ? `at least ${minimum}` : `from ${minimum} to ${maximum}`;
}
