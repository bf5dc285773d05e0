import { isRecord } from './raw-batch.ts';

/** A subschema: where it is, and whether it is applied to the same value as the schema around it. */
export interface SchemaNode {
  readonly schema: Record<string, unknown>;
  readonly pointer: string;
  /** Subschemas for the same value: `allOf`, `if`, … */
  readonly inPlace: SchemaNode[];
}

/** Keywords that hold a schema, or a list of schemas (drafts 7 and 2020-12). */
const FOR_SAME_VALUE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'];
const FOR_PARTS = [
  'items',
  'additionalItems',
  'prefixItems',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
];
/** Keywords that hold schemas by name. */
const BY_NAME = ['properties', 'patternProperties', '$defs', 'definitions'];
const BY_NAME_FOR_SAME_VALUE = ['dependentSchemas', 'dependencies'];

/** One step of a JSON pointer (RFC 6901). */
export function pointerStep(key: string | number): string {
  return `/${String(key).replace(/~/g, '~0').replace(/\//g, '~1')}`;
}

function held(value: unknown, pointer: string, byName: boolean): { value: unknown; pointer: string }[] {
  if (Array.isArray(value)) return value.map((one: unknown, i) => ({ value: one, pointer: pointer + pointerStep(i) }));
  if (!byName) return [{ value, pointer }];
  if (!isRecord(value)) return [];
  return Object.entries(value).map(([key, one]) => ({ value: one, pointer: pointer + pointerStep(key) }));
}

function keywordsOf(schema: Record<string, unknown>): { keyword: string; byName: boolean; inPlace: boolean }[] {
  const group = (keywords: string[], byName: boolean, inPlace: boolean) =>
    keywords.filter((key) => Object.hasOwn(schema, key)).map((keyword) => ({ keyword, byName, inPlace }));
  return [
    ...group(FOR_SAME_VALUE, false, true),
    ...group(FOR_PARTS, false, false),
    ...group(BY_NAME, true, false),
    ...group(BY_NAME_FOR_SAME_VALUE, true, true),
  ];
}

/** All subschemas of a schema, itself first; what only looks like one (in `const`, `enum`, `default`) is not among them. */
export function schemaNodes(root: Record<string, unknown>): SchemaNode[] {
  const nodes: SchemaNode[] = [{ schema: root, pointer: '', inPlace: [] }];
  for (const node of nodes) {
    for (const { keyword, byName, inPlace } of keywordsOf(node.schema)) {
      for (const { value, pointer } of held(node.schema[keyword], node.pointer + pointerStep(keyword), byName)) {
        if (!isRecord(value)) continue;
        const child: SchemaNode = { schema: value, pointer, inPlace: [] };
        nodes.push(child);
        if (inPlace) node.inPlace.push(child);
      }
    }
  }
  return nodes;
}

/** True when a value is nested deeper than `depth`, or holds more than `members` values; also when it holds itself. */
export function tooNested(value: unknown, depth: number, members: number): boolean {
  let level: unknown[] = [value];
  let seen = 0;
  for (let deep = 0; level.length > 0; deep++) {
    seen += level.length;
    if (deep > depth || seen > members) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
