import { describe, expect, test } from 'vitest';
import { schemaCheck } from './output-schema.ts';

const check = (schema: Record<string, unknown>) => schemaCheck()(schema);
const pointers = async (schema: Record<string, unknown>) => (await check(schema)).map(({ pointer }) => pointer);

/** The schema of a person with children, as in the wild. */
const PERSON = {
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
};

describe('output schemas (S3)', () => {
  test('case 23: local $ref and $defs are accepted, also recursive ones', async () => {
    expect(await check(PERSON)).toEqual([]);
  });

  test('case 6: a bad type is refused with its pointer and the allowed words', async () => {
    const [mistake, ...more] = await check({ properties: { 'a/b': { type: 'strnig' } } });
    expect(mistake).toMatchObject({ pointer: '/properties/a~1b/type', what: expect.stringContaining('string') });
    expect(more).toEqual([]);
  });

  test('case 6: all bad keywords are named', async () => {
    const schema = { type: 'object', required: 'n', properties: { n: { minLength: -1 } } };
    expect((await pointers(schema)).sort()).toEqual(['/properties/n/minLength', '/required']);
  });

  test('case 6: a bad keyword hides no reference to the outside', async () => {
    expect(await pointers({ type: 'strnig', not: { $ref: 'http://h/x' } })).toEqual(['/type', '/not/$ref']);
  });

  test.each([
    ['2020-12 by default', {}],
    ['2020-12', { $schema: 'https://json-schema.org/draft/2020-12/schema' }],
    ['draft 7', { $schema: 'http://json-schema.org/draft-07/schema#' }],
  ])('S3: %s is known', async (_, head) => {
    expect(await check({ ...head, type: 'object' })).toEqual([]);
    expect(await pointers({ ...head, type: 'objct' })).toEqual(['/type']);
  });

  test('S3: a list in "items" is draft 7, not 2020-12', async () => {
    const schema = { items: [{ type: 'string' }] };
    expect(await pointers(schema)).toEqual(['/items']);
    expect(await check({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema })).toEqual([]);
  });

  test('S3: other drafts are refused by name', async () => {
    expect(await pointers({ $schema: 'http://json-schema.org/draft-04/schema#' })).toEqual(['/$schema']);
    expect(await pointers({ $schema: 7 })).toEqual(['/$schema']);
  });

  test.each([
    'http://127.0.0.1:9/x.json',
    'file:///etc/passwd',
    'other.json#/a',
    'https://json-schema.org/draft/2020-12/schema',
  ])('case 23: a reference to %s is refused before the start', async ($ref) => {
    const [mistake] = await check({ properties: { a: { $ref } } });
    expect(mistake).toMatchObject({
      pointer: '/properties/a/$ref',
      what: expect.stringContaining('nothing outside is ever fetched'),
    });
  });

  test('case 23: what only looks like a reference is none', async () => {
    const remote = { $ref: 'http://127.0.0.1:9/x.json' };
    expect(await check({ const: remote, properties: { $ref: { type: 'string' } }, examples: [remote] })).toEqual([]);
  });

  test('S3: a reference to nothing is refused with its pointer', async () => {
    expect(await pointers({ items: { $ref: '#/$defs/gone' }, not: { $ref: '#anchor' } })).toEqual([
      '/not/$ref',
      '/items/$ref',
    ]);
  });

  test('S3: anchors, escaped pointers and own ids resolve', async () => {
    expect(
      await check({
        $defs: { a: { $anchor: 'x' }, 'b c/d': {} },
        allOf: [{ $ref: '#x' }, { $ref: '#/$defs/b%20c~1d' }],
      }),
    ).toEqual([]);
    const own = {
      $id: 'http://h/root',
      $defs: { a: { $id: 'http://h/a', type: 'string' } },
      properties: { p: { $ref: 'http://h/a' } },
    };
    expect(await check(own)).toEqual([]);
    const both = schemaCheck();
    expect(await both(own)).toEqual([]);
    expect(await both({ ...own, title: 'again' })).toEqual([]);
  });

  test.each([
    { $ref: '#' },
    { $defs: { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }] } }, $ref: '#/$defs/a' },
  ])('S3: %j refers to itself without end and is refused', async (schema) => {
    expect(await check(schema)).toMatchObject([{ what: 'it refers to itself without end' }]);
  });

  test('case 23: a pathological pattern is accepted at once: nothing is matched before the start', async () => {
    expect(await check({ type: 'string', pattern: '^(a+)+$' })).toEqual([]);
  });

  test('S3: a pattern that is none, or endless, is refused with its pointer', async () => {
    expect(await pointers({ properties: { a: { pattern: '(' } } })).toEqual(['/properties/a/pattern']);
    expect(await pointers({ patternProperties: { '[': {} } })).toEqual(['/patternProperties/[']);
    expect(await pointers({ pattern: 'a'.repeat(5000) })).toEqual(['/pattern']);
  });

  test('S3: $async would make every answer valid and is refused', async () => {
    expect(await pointers({ $async: true })).toEqual(['/$async']);
  });

  test('S5: more than 256 KiB, absurd depth, and a schema that holds itself are refused', async () => {
    expect(await check({ description: 'x'.repeat(256 * 1024) })).toMatchObject([{ what: 'it is larger than 256 KiB' }]);
    let deep: Record<string, unknown> = {};
    for (let i = 0; i < 100_000; i++) deep = { not: deep };
    expect(await check(deep)).toMatchObject([{ what: expect.stringContaining('nested') }]);
    const round: Record<string, unknown> = {};
    round['not'] = round;
    expect(await check(round)).toMatchObject([{ what: expect.stringContaining('nested') }]);
  });
});
