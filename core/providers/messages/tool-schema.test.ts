import { describe, expect, test } from 'vitest';
import { toolSchema as schemaFor } from './tool-schema.ts';

const toolSchema = (schema: Readonly<Record<string, unknown>>) => schemaFor(schema, 'openai');

describe('B18: a schema in the part that all providers take', () => {
  test('B18: a local $ref that recurs → put in place, no $ref, format or pattern left', () => {
    const adapted = toolSchema({
      $defs: {
        P: {
          type: 'object',
          required: ['n'],
          properties: {
            n: { type: 'string', format: 'date', pattern: '^2' },
            kids: { type: 'array', items: { $ref: '#/$defs/P' } },
          },
        },
      },
      $ref: '#/$defs/P',
    });
    expect(adapted).toEqual({
      type: 'object',
      required: ['n'],
      properties: {
        n: { type: 'string', description: '(format: date, pattern: ^2)' },
        kids: { type: 'array', items: { type: 'object', description: 'Of the same form again.' } },
      },
    });
  });

  test('B18: oneOf, const, allOf and a tuple', () => {
    const adapted = toolSchema({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: false,
      properties: {
        kind: { const: 'a' },
        value: { oneOf: [{ type: 'string' }, { type: 'number', exclusiveMinimum: 0 }] },
        both: {
          allOf: [
            { properties: { x: { type: 'string' } }, required: ['x'] },
            { properties: { y: {} }, required: ['y'] },
          ],
        },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
        list: { type: 'array' },
      },
    });
    expect(adapted).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: {
        kind: { enum: ['a'] },
        value: { anyOf: [{ type: 'string' }, { type: 'number', description: '(exclusiveMinimum: 0)' }] },
        both: { type: 'object', properties: { x: { type: 'string' }, y: {} }, required: ['x', 'y'] },
        pair: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
        list: { type: 'array', items: {} },
      },
    });
  });

  test('B18: a union at the top becomes one object; an empty schema too', () => {
    const adapted = toolSchema({
      anyOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { properties: { b: {} } }],
    });
    expect(adapted).toEqual({ type: 'object', properties: { a: { type: 'string' }, b: {} } });
    expect(toolSchema({})).toEqual({ type: 'object', properties: {} });
  });

  test('B18: outside references and lost ones are left open', () => {
    const properties = {
      a: { $ref: 'http://127.0.0.1:9/x.json' },
      b: { $ref: '#/nowhere', description: 'B' },
      c: { $ref: '#/$defs/a~1b' },
    };
    expect(toolSchema({ type: 'object', $defs: { 'a/b': { type: 'string' } }, properties })).toEqual({
      type: 'object',
      properties: { a: {}, b: { description: 'B' }, c: { type: 'string' } },
    });
  });

  test('references that multiply stay bounded', () => {
    const $defs: Record<string, unknown> = { d0: { type: 'string' } };
    for (let i = 1; i < 30; i += 1) {
      const ref = { $ref: `#/$defs/d${i - 1}` };
      $defs[`d${i}`] = { type: 'object', properties: { a: ref, b: ref } };
    }
    expect(JSON.stringify(toolSchema({ $defs, $ref: '#/$defs/d29' })).length).toBeLessThan(200_000);
  });

  test('K1: byte-stable', () => {
    const schema = { type: 'object', properties: { b: { type: 'string' }, a: { type: 'number' } } };
    expect(JSON.stringify(toolSchema(schema))).toBe(JSON.stringify(toolSchema(structuredClone(schema))));
  });

  test('what is required and is not there is not required', () => {
    expect(toolSchema({ properties: { a: {} }, required: ['a', 'b'] })).toMatchObject({ required: ['a'] });
  });
});

const WHOLE = { 'odd name': { type: 'string' }, plain: { type: 'string' } };

/** [what, schema of a property, as Google is told it] */
const FOR_GOOGLE: readonly (readonly [string, object, object])[] = [
  ['an open value', {}, { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'object' }, { type: 'array', items: { type: 'string' } }] }],
  ['a reference', { $ref: '#/$defs/word' }, { type: 'string' }],
  ['a list of types', { type: ['string', 'number'] }, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
  ['a type or null', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
  ['an alternative with words beside it', { description: 'D', anyOf: [{ type: 'string' }, { type: 'integer', description: 'N' }] }, { anyOf: [{ type: 'string', description: 'D' }, { type: 'integer', description: 'N' }] }],
  ['an object beside an alternative', { type: 'object', properties: { a: { type: 'string' } }, oneOf: [{ required: ['a'] }] }, { type: 'object', properties: { a: { type: 'string' } } }],
  ['additional properties', { type: 'object', additionalProperties: { type: 'string' } }, { type: 'object' }],
  ['an enum of words', { enum: ['a', 'b'] }, { anyOf: [{ type: 'string', enum: ['a', 'b'] }] }],
  ['an enum of numbers', { type: 'integer', enum: [1, 2] }, { type: 'integer', description: '(one of: 1, 2)' }],
  ['an enum with nothing in it', { type: 'string', enum: ['', 'a'] }, { type: 'string', description: '(one of: "", "a")' }],
  ['an array of anything', { type: 'array' }, { type: 'array', items: { anyOf: expect.any(Array) as unknown[] } }],
  ['a default', { type: 'boolean', default: true, description: 'D' }, { type: 'boolean', description: 'D (default: true)' }],
]; // prettier-ignore

describe('B18: a schema as each provider takes it', () => {
  test.each(FOR_GOOGLE)('google: %s', (_what, property, told) => {
    const schema = { type: 'object', $defs: { word: { type: 'string' } }, properties: { it: property } };
    expect(schemaFor(schema, 'google')).toEqual({ type: 'object', properties: { it: told } });
  });

  test.each(['anthropic', 'openai', 'openai-compatible', 'google'] as const)(
    '%s: nothing that it refuses is left of a schema with everything',
    (kind) => {
      const schema = {
        $schema: 'x',
        $defs: { p: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/p' } } } } },
        anyOf: [{ properties: WHOLE, required: ['odd name', 'plain'] }, { $ref: '#/$defs/p' }],
        if: {},
        patternProperties: { x: {} },
        additionalProperties: false,
      };
      const adapted = schemaFor(schema, kind);
      expect(adapted).toMatchObject({
        type: 'object',
        properties: { plain: { type: 'string' }, kids: { type: 'array' } },
      });
      expect(Object.keys(adapted)).not.toContain('anyOf');
      expect(JSON.stringify(adapted)).not.toMatch(/\$ref|\$defs|\$schema|patternProperties|"if"/);
      expect(JSON.stringify(adapted).includes('additionalProperties')).toBe(kind !== 'google');
      expect(Object.keys(adapted['properties'] as object).includes('odd name')).toBe(kind !== 'anthropic');
    },
  );
});
