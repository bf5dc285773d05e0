type Schema = Readonly<Record<string, unknown>>;

/** Deeper than people write, and where a schema that refers to itself ends. */
const MOST_DEPTH = 12;
/** Say nothing to a model, and no provider takes all of them. */
const DROPPED = new Set(['$schema', '$id', '$anchor', '$comment', '$defs', 'definitions', 'examples']);
const COMBINED = ['anyOf', 'oneOf', 'allOf'] as const;

/**
 * A tool's input schema as all dialects take it: an object at the root without alternatives there, references put in where they stand, no words
 * that only validators know. What the model then may send beyond the server's own schema, the server refuses.
 */
export function adaptSchema(schema: Schema): Schema & { readonly type: 'object' } {
  const inlined = inline(schema, schema, 0) as Schema;
  const { properties, required, ...rest } = inlined;
  for (const word of [...COMBINED, 'type', 'not', 'if', 'then', 'else']) delete (rest as Record<string, unknown>)[word];
  const known = isSchema(properties) ? properties : propertiesOf(inlined);
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string' && name in known) : [];
  return { ...rest, type: 'object', properties: known, required: names };
}

/** What any of the alternatives of a root names. */
function propertiesOf(schema: Schema): Schema {
  const parts = COMBINED.flatMap((word) => (Array.isArray(schema[word]) ? (schema[word] as unknown[]) : []));
  const found = parts.flatMap((part) => (isSchema(part) && isSchema(part['properties']) ? [part['properties']] : []));
  return Object.assign({}, ...found) as Schema;
}

function inline(value: unknown, root: Schema, depth: number): unknown {
  if (Array.isArray(value)) return value.map((item) => inline(item, root, depth));
  if (!isSchema(value)) return value;
  if (depth > MOST_DEPTH) return {};
  const { $ref, ...own } = value;
  const target = typeof $ref === 'string' ? resolve(root, $ref) : null;
  const merged = target === null ? own : { ...target, ...own };
  const fields = Object.entries(merged).filter(([word]) => !DROPPED.has(word));
  return Object.fromEntries(fields.map(([word, field]) => [word, inline(field, root, depth + 1)]));
}

/** A local reference; one that leads nowhere, or elsewhere, says nothing. */
function resolve(root: Schema, ref: string): Schema | null {
  if (!ref.startsWith('#')) return null;
  let at: unknown = root;
  for (const part of ref.slice(1).split('/').filter(Boolean)) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    at = isSchema(at) ? at[name] : undefined;
  }
  return isSchema(at) ? at : null;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
