import { describe, expect, test } from 'vitest';
import { toolSchema } from './tool-schema.ts';

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
});
