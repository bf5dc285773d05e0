import { expect, test } from 'vitest';
import { adaptSchema } from './adapt-schema.ts';
import { toolName } from './tool-names.ts';

test('references are put in where they stand, also of a schema that refers to itself, and nothing is fetched', () => {
  const adapted = adaptSchema({
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    definitions: { node: { type: 'object', properties: { next: { $ref: '#/definitions/node' } } } },
    properties: { a: { $ref: '#/definitions/node' }, b: { $ref: 'https://elsewhere/x.json', title: 'B' } },
    required: ['a', 'unknown'],
  });
  expect(JSON.stringify(adapted)).not.toMatch(/\$ref|\$schema|definitions/);
  expect(adapted).toMatchObject({ properties: { a: { properties: { next: { type: 'object' } } }, b: { title: 'B' } } });
  expect(adapted.required).toEqual(['a']);
});

test('alternatives at the root, which providers refuse, become what any of them names', () => {
  const parts = [{ properties: { a: {} }, required: ['a'] }, { properties: { b: {} } }];
  expect(adaptSchema({ anyOf: parts })).toEqual({ type: 'object', properties: { a: {}, b: {} }, required: [] });
  expect(adaptSchema({})).toEqual({ type: 'object', properties: {}, required: [] });
});

test('a tool has a name that every provider takes, and two never the same one', () => {
  expect(toolName('files', 'read', new Set())).toBe('mcp__files__read');
  const long = toolName('files', 'x'.repeat(80), new Set());
  expect(long).toMatch(/^[A-Za-z0-9_-]{64}$/);
  expect(toolName('files', `${'x'.repeat(80)}y`, new Set())).not.toBe(long);
  expect(toolName('files', 'a.b', new Set([toolName('files', 'a_b', new Set())]))).not.toBe('mcp__files__a_b');
});
