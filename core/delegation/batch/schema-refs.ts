import { pointerStep, type SchemaNode } from './schema-walk.ts';

/** One thing wrong with a schema. */
export interface SchemaMistake {
  /** JSON pointer to the keyword. */
  readonly pointer: string;
  /** The rest of a sentence: "output_schema is invalid at <pointer>: …". */
  readonly what: string;
  readonly fix: string;
}

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

/** A fragment as the JSON pointer that it is written from; null when it is not one. */
function pointerOf(ref: string): string | null {
  try {
    const pointer = decodeURIComponent(ref.slice(1));
    return pointer === '' || pointer.startsWith('/') ? pointer : null;
  } catch {
    return null;
  }
}

interface Resources {
  readonly byPointer: ReadonlyMap<string, SchemaNode>;
  readonly ids: ReadonlySet<unknown>;
  readonly anchors: ReadonlySet<unknown>;
  /** A schema with an own `$id` inside: pointers in it begin there, so only the compiler can resolve them. */
  readonly embedded: boolean;
}

function resourcesOf(nodes: readonly SchemaNode[]): Resources {
  return {
    byPointer: new Map(nodes.map((node) => [node.pointer, node])),
    ids: new Set(nodes.map(({ schema }) => schema['$id']).filter((id) => typeof id === 'string')),
    anchors: new Set(nodes.flatMap(({ schema }) => [schema['$anchor'], schema['$dynamicAnchor']])),
    embedded: nodes.some(({ schema, pointer }) => pointer !== '' && typeof schema['$id'] === 'string'),
  };
}

function mistakeOf(ref: string, pointer: string, root: unknown, resources: Resources): SchemaMistake | null {
  if (!ref.startsWith('#')) {
    if (resources.ids.has(ref.split('#')[0])) return null;
    const fix = 'Copy what it points to into "$defs" and point there with "#/$defs/…".';
    return { pointer, what: `it points outside (${ref}), and nothing outside is ever fetched`, fix };
  }
  if (resources.embedded) return null;
  const target = pointerOf(ref);
  const found = target === null ? resources.anchors.has(ref.slice(1)) : valueAt(root, target) !== undefined;
  if (found) return null;
  return { pointer, what: `there is nothing at ${ref}`, fix: 'Point to a part of the same schema.' };
}

function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const step of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined;
    const key = step.replace(/~1/g, '/').replace(/~0/g, '~');
    value = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
  }
  return value;
}

/** Schemas that are applied to the same value again before any part of it: checking would never end. */
function endless(nodes: readonly SchemaNode[], resources: Resources): SchemaMistake | null {
  const state = new Map<SchemaNode, 'open' | 'done'>();
  const next = (node: SchemaNode): SchemaNode[] => {
    const ref = node.schema['$ref'];
    const target = typeof ref === 'string' && ref.startsWith('#') ? pointerOf(ref) : null;
    const referred = target === null ? undefined : resources.byPointer.get(target);
    return referred ? [...node.inPlace, referred] : node.inPlace;
  };
  const visit = (node: SchemaNode): SchemaNode | null => {
    if (state.has(node)) return state.get(node) === 'open' ? node : null;
    state.set(node, 'open');
    for (const one of next(node)) {
      const round = visit(one);
      if (round) return round;
    }
    state.set(node, 'done');
    return null;
  };
  for (const node of nodes) {
    const round = visit(node);
    if (!round) continue;
    const pointer = typeof round.schema['$ref'] === 'string' ? round.pointer + pointerStep('$ref') : round.pointer;
    const fix = 'Let it refer to itself only below "properties", "items" or the like.';
    return { pointer, what: 'it refers to itself without end', fix };
  }
  return null;
}

/** What is wrong with the references of a schema: to the outside, to nothing, or round in a circle. */
export function referenceMistakes(root: unknown, nodes: readonly SchemaNode[]): SchemaMistake[] {
  const resources = resourcesOf(nodes);
  const mistakes: SchemaMistake[] = [];
  for (const { schema, pointer } of nodes) {
    for (const keyword of REFERENCES) {
      const ref = schema[keyword];
      if (typeof ref !== 'string') continue;
      const mistake = mistakeOf(ref, pointer + pointerStep(keyword), root, resources);
      if (mistake) mistakes.push(mistake);
    }
  }
  if (mistakes.length > 0 || resources.embedded) return mistakes;
  const round = endless(nodes, resources);
  return round ? [round] : [];
}
