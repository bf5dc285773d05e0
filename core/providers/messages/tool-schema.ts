import type { ProviderKind } from '../models/bundle.ts';
import { googleSchema } from './google-schema.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Keywords that every provider takes, kept as they are. */
const PLAIN = ['title', 'default', 'minimum', 'maximum', 'minItems', 'maxItems', 'minLength', 'maxLength'] as const;

/** Constraints that some provider refuses: told to the model in words, so that it still meets the original schema. */
const IN_WORDS = ['format', 'pattern', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum', 'uniqueItems'] as const;

/** A schema larger than this would fill the prompt; what is beyond is left open. */
const MAX_NODES = 2000;

/** Names of properties that Claude's API takes; one with another name is left out, as the request would be refused with it. */
const ANTHROPIC_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

const caches = new WeakMap<Schema, Map<ProviderKind, Schema>>();

/**
 * A tool's schema in the part of JSON schema that the provider takes (B18). For all of them: local `$ref` put in place (a recursion is left
 * open), `oneOf` as `anyOf`, `const` as `enum`, `allOf` merged, an object without a union at the top that requires only what it has, the rest in words
 * or left out. Google takes less still. Nothing is asked to be kept to strictly: that would make optional properties required ones. Outside references
 * are never fetched. The result is looser than the original, never stricter. Byte-stable.
 */
export function toolSchema(schema: Schema, kind: ProviderKind): Schema {
  const cache = caches.get(schema) ?? new Map<ProviderKind, Schema>();
  caches.set(schema, cache);
  const known = cache.get(kind);
  if (known) return known;
  const adapted = topLevel(new Adapter(schema, kind === 'anthropic' ? ANTHROPIC_NAME : null).adapt(schema, []));
  const own = kind === 'google' ? googleSchema(adapted) : adapted;
  cache.set(kind, own);
  return own;
}

/** Providers want an object at the top, without a union: the members of a union become optional properties of one object. */
function topLevel(schema: Schema): Schema {
  const { anyOf, enum: _enum, required, ...rest } = schema;
  const branches = Array.isArray(anyOf) ? anyOf.filter(isSchema) : [];
  const properties: Record<string, unknown> = {};
  for (const branch of [...branches, rest]) {
    if (isSchema(branch['properties'])) Object.assign(properties, branch['properties']);
  }
  return { ...rest, type: 'object', ...requiredOf(required, properties), properties };
}

/** Only what is there can be required. */
function requiredOf(required: unknown, properties: Schema): { required?: unknown[] } {
  if (!Array.isArray(required)) return {};
  return { required: required.filter((name) => typeof name === 'string' && Object.hasOwn(properties, name)) };
}

class Adapter {
  readonly #root: Schema;
  readonly #names: RegExp | null;
  #nodes = 0;

  /** @param names what names of properties may be; null: anything */
  constructor(root: Schema, names: RegExp | null) {
    this.#root = root;
    this.#names = names;
  }

  /** `open` holds the references that are being put in place. */
  adapt(value: unknown, open: readonly string[]): Schema {
    if (!isSchema(value) || ++this.#nodes > MAX_NODES) return {};
    const ref = value['$ref'];
    if (typeof ref === 'string') return this.#reference(ref, value, open);
    const merged = Array.isArray(value['allOf']) ? this.#merge(value, value['allOf'], open) : value;
    return this.#keywords(merged, open);
  }

  #reference(ref: string, value: Schema, open: readonly string[]): Schema {
    const { $ref: _ref, $defs: _defs, definitions: _definitions, ...beside } = value;
    const target = this.#lookUp(ref);
    if (!target) return this.#keywords(beside, open);
    if (open.includes(ref)) {
      const type = target['type'];
      return { ...(type === undefined ? {} : { type }), description: 'Of the same form again.' };
    }
    return this.adapt({ ...target, ...beside }, [...open, ref]);
  }

  #lookUp(ref: string): Schema | null {
    if (!ref.startsWith('#')) return null;
    let at: unknown = this.#root;
    for (const step of ref.slice(1).split('/').slice(1)) {
      const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
      at = isSchema(at) || Array.isArray(at) ? (at as Record<string, unknown>)[name] : undefined;
    }
    return isSchema(at) ? at : null;
  }

  #merge(value: Schema, members: readonly unknown[], open: readonly string[]): Schema {
    const { allOf: _allOf, ...own } = value;
    const merged: Record<string, unknown> = { ...own };
    for (const member of members) {
      const part = this.adapt(member, open);
      for (const [name, inner] of Object.entries(part)) {
        const before = merged[name];
        if (name === 'properties' && isSchema(before) && isSchema(inner)) merged[name] = { ...inner, ...before };
        else if (name === 'required' && Array.isArray(before) && Array.isArray(inner)) {
          merged[name] = [...new Set([...(before as unknown[]), ...(inner as unknown[])])];
        } else merged[name] ??= inner;
      }
    }
    return merged;
  }

  #keywords(value: Schema, open: readonly string[]): Schema {
    const out: Record<string, unknown> = {};
    if (value['type'] !== undefined) out['type'] = value['type'];
    else if (isSchema(value['properties'])) out['type'] = 'object';
    const description = describe(value);
    if (description) out['description'] = description;
    if ('const' in value) out['enum'] = [value['const']];
    else if (Array.isArray(value['enum'])) out['enum'] = value['enum'];
    for (const name of PLAIN) if (value[name] !== undefined) out[name] = value[name];
    this.#objects(value, open, out);
    this.#arrays(value, open, out);
    const branches = value['anyOf'] ?? value['oneOf'];
    if (Array.isArray(branches)) out['anyOf'] = branches.map((branch) => this.adapt(branch, open));
    return out;
  }

  #objects(value: Schema, open: readonly string[], out: Record<string, unknown>): void {
    const properties = value['properties'];
    if (isSchema(properties)) {
      out['properties'] = Object.fromEntries(
        Object.entries(properties)
          .filter(([name]) => this.#names?.test(name) !== false)
          .map(([name, inner]) => [name, this.adapt(inner, open)]),
      );
    }
    Object.assign(out, requiredOf(value['required'], isSchema(out['properties']) ? out['properties'] : {}));
    const additional = value['additionalProperties'];
    if (typeof additional === 'boolean') out['additionalProperties'] = additional;
    else if (isSchema(additional)) out['additionalProperties'] = this.adapt(additional, open);
  }

  #arrays(value: Schema, open: readonly string[], out: Record<string, unknown>): void {
    const tuple = Array.isArray(value['prefixItems']) ? value['prefixItems'] : value['items'];
    if (Array.isArray(tuple)) out['items'] = { anyOf: tuple.map((item) => this.adapt(item, open)) };
    else if (tuple !== undefined) out['items'] = this.adapt(tuple, open);
    else if (value['type'] === 'array') out['items'] = {};
  }
}

function describe(value: Schema): string {
  const own = typeof value['description'] === 'string' ? value['description'] : '';
  const words = IN_WORDS.filter((name) => value[name] !== undefined).map((name) => `${name}: ${String(value[name])}`);
  return [own, words.length ? `(${words.join(', ')})` : ''].filter(Boolean).join(' ');
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
