type Schema = Readonly<Record<string, unknown>>;

/** Keywords that Gemini takes as they are. */
const PLAIN = ['title', 'minimum', 'maximum', 'minItems', 'maxItems'] as const;
/** Those that it refuses or passes over: told to the model in words. */
const IN_WORDS = ['default', 'minLength', 'maxLength'] as const;

/** A value of which nothing is said; Gemini wants to be told a type of everything. */
const ANYTHING: readonly Schema[] = [
  { type: 'string' },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'object' },
  { type: 'array', items: { type: 'string' } },
];

/**
 * A schema that is adapted already, in what Gemini takes of it: nothing open, one type each (or that and null), nothing beside `anyOf`, an `enum` of
 * words only, no `additionalProperties`. What it would refuse is told in words; the tool itself checks what comes.
 */
export function googleSchema({ type, ...schema }: Schema): Schema {
  if (type === 'object') return { ...objectOf(schema), type };
  const { anyOf, description, ...own } = schema;
  const branches = Array.isArray(anyOf) && anyOf.length > 0 ? anyOf.filter(isSchema) : branchesOf(type, own);
  if (branches === null) return typed(type as string | string[], schema);
  // What stands beside the alternatives holds for each of them.
  const beside = { ...own, ...(anyOf === undefined || type === undefined ? {} : { type }) };
  const told = description === undefined ? {} : { description };
  return { anyOf: branches.map((branch) => googleSchema({ ...told, ...beside, ...branch })) };
}

/** One schema for each type that a value may have; null where one form tells it. */
function branchesOf(type: unknown, { properties, items, enum: words }: Schema): readonly Schema[] | null {
  if (typeof type === 'string') return null;
  if (Array.isArray(type) && type.length > 0) {
    const types = type.filter((one) => one !== 'null');
    return types.length <= 1 ? null : type.map((one: unknown) => ({ type: one }));
  }
  if (Array.isArray(words) && words.every(isWord)) return [{ type: 'string' }];
  if (isSchema(properties)) return [{ type: 'object' }];
  return items === undefined ? ANYTHING : [{ type: 'array' }];
}

function typed(type: string | string[], schema: Schema): Schema {
  const out: Record<string, unknown> = { type, ...plainOf(schema) };
  const types = Array.isArray(type) ? type : [type];
  const words = schema['enum'];
  if (Array.isArray(words) && words.every(isWord) && types.includes('string')) out['enum'] = words;
  if (types.includes('object')) Object.assign(out, objectOf(schema));
  if (types.includes('array')) out['items'] = googleSchema(isSchema(schema['items']) ? schema['items'] : {});
  return out;
}

function objectOf(schema: Schema): Schema {
  const { properties, required } = schema;
  const own = isSchema(properties) ? Object.entries(properties) : [];
  return {
    ...plainOf(schema),
    ...(isSchema(properties)
      ? {
          properties: Object.fromEntries(
            own.map(([name, inner]) => [name, googleSchema(isSchema(inner) ? inner : {})]),
          ),
        }
      : {}),
    ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
  };
}

function plainOf(schema: Schema): Schema {
  const kept = PLAIN.filter((name) => schema[name] !== undefined).map((name) => [name, schema[name]] as const);
  const description = describe(schema);
  return { ...Object.fromEntries(kept), ...(description === '' ? {} : { description }) };
}

function describe(schema: Schema): string {
  const own = typeof schema['description'] === 'string' ? schema['description'] : '';
  const told = IN_WORDS.filter((name) => schema[name] !== undefined).map((name) => `${name}: ${text(schema[name])}`);
  const words = schema['enum'];
  if (Array.isArray(words) && !words.every(isWord)) told.push(`one of: ${words.map(text).join(', ')}`);
  return [own, told.length === 0 ? '' : `(${told.join(', ')})`].filter(Boolean).join(' ');
}

const text = (value: unknown): string => JSON.stringify(value);

/** What can stand in an `enum` there: never an empty text. */
function isWord(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
