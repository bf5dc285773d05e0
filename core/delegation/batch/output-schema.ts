import type { Ajv, ErrorObject } from 'ajv';
import type { SchemaDraft } from '../../kit/schema-compiler.ts';
import { BATCH_MAXIMA } from '../../protocol/batch.ts';
import { referenceMistakes, type SchemaMistake } from './schema-refs.ts';
import { pointerStep, schemaNodes, tooNested, type SchemaNode } from './schema-walk.ts';

/** Deeper schemas are no schemas that anyone wrote, and recursion over them runs out of stack. */
const DEEPEST = 64;

/** A pattern that long is generated; compiling and running it has no bound that we can promise. */
const LONGEST_PATTERN = 4096;

/** Mistakes reported of one schema. */
const MAX_REPORTED = 10;

/** Checks one schema; keeps what it has loaded and seen. */
export type SchemaCheck = (schema: Record<string, unknown>) => Promise<SchemaMistake[]>;

function draftOf(schema: Record<string, unknown>): SchemaDraft | null {
  const named = schema['$schema'];
  if (named === undefined) return '2020-12';
  const uri = typeof named === 'string' ? named.replace(/^http:/, 'https:').replace(/#$/, '') : '';
  if (uri === 'https://json-schema.org/draft/2020-12/schema') return '2020-12';
  return uri === 'https://json-schema.org/draft-07/schema' ? '7' : null;
}

/** Loaded only when a schema is there: most batches have none, and it costs start-up time. */
async function newAjv(draft: SchemaDraft): Promise<Ajv> {
  return (await import('../../kit/schema-compiler.ts')).schemaCompiler(draft);
}

function tooLarge(schema: Record<string, unknown>): SchemaMistake | null {
  if (tooNested(schema, DEEPEST, BATCH_MAXIMA.schemaBytes)) {
    return { pointer: '', what: `it is nested more than ${DEEPEST} deep`, fix: 'Make it flatter.' };
  }
  if (Buffer.byteLength(JSON.stringify(schema)) <= BATCH_MAXIMA.schemaBytes) return null;
  return { pointer: '', what: `it is larger than ${BATCH_MAXIMA.schemaBytes / 1024} KiB`, fix: 'Make it smaller.' };
}

function patternMistake(pattern: string, pointer: string): SchemaMistake | null {
  if (pattern.length > LONGEST_PATTERN) {
    const what = `the pattern is longer than ${LONGEST_PATTERN} characters`;
    return { pointer, what, fix: 'Make it shorter, or take it out.' };
  }
  try {
    new RegExp(pattern, 'u');
    return null;
  } catch (error) {
    const what = `the pattern is no regular expression (${(error as Error).message})`;
    return { pointer, what, fix: 'Mend the pattern; it is read as in JavaScript with the flag u.' };
  }
}

function patternMistakes(nodes: readonly SchemaNode[]): SchemaMistake[] {
  return nodes.flatMap(({ schema, pointer }) => {
    const { pattern, patternProperties } = schema;
    const named = typeof patternProperties === 'object' && patternProperties !== null ? patternProperties : {};
    const patterns = Object.keys(named).map((one) => ({ one, at: `/patternProperties${pointerStep(one)}` }));
    if (typeof pattern === 'string') patterns.push({ one: pattern, at: '/pattern' });
    return patterns.flatMap(({ one, at }) => patternMistake(one, pointer + at) ?? []);
  });
}

/** The errors of the meta-schema, one for each place: that of a choice is left out beside those of its branches. */
function metaMistakes(errors: readonly ErrorObject[]): SchemaMistake[] {
  const byPlace = new Map<string, ErrorObject>();
  for (const error of errors) {
    const known = byPlace.get(error.instancePath);
    const better = known === undefined || (error.keyword === 'enum' && known.keyword !== 'enum');
    if (better && error.keyword !== 'if') byPlace.set(error.instancePath, error);
  }
  return [...byPlace.values()].map(({ instancePath, message, params }) => {
    const allowed = (params as { allowedValues?: unknown[] }).allowedValues;
    const what = allowed ? `it must be one of ${allowed.join(', ')}` : (message ?? 'it is not valid');
    return { pointer: instancePath, what, fix: 'Mend the keyword; the drafts 2020-12 and 7 of JSON Schema count.' };
  });
}

function compileMistake(ajv: Ajv, schema: Record<string, unknown>): SchemaMistake[] {
  try {
    ajv.compile(schema);
    return [];
  } catch (error) {
    const what = `it cannot be used (${(error as Error).message})`;
    return [{ pointer: '', what, fix: 'Mend what the message names.' }];
  } finally {
    ajv.removeSchema(schema);
  }
}

/**
 * A check of output schemas (S3): against the meta-schema of draft 2020-12 (or 7, if `$schema` names it), references
 * only within the schema, no circles, patterns that compile, at most 256 KiB. Nothing is ever fetched. A pattern that
 * backtracks is accepted: whoever checks a result bounds the time (P8).
 */
export function schemaCheck(): SchemaCheck {
  const loaded = new Map<SchemaDraft, Ajv>();
  const seen = new Map<string, SchemaMistake[]>();

  const ajvFor = async (draft: SchemaDraft, nodes: readonly SchemaNode[]): Promise<Ajv> => {
    // A compiler remembers ids; schemas that have some must not meet each other in one.
    if (nodes.some(({ schema }) => '$id' in schema || '$anchor' in schema)) return newAjv(draft);
    const ajv = loaded.get(draft) ?? (await newAjv(draft));
    loaded.set(draft, ajv);
    return ajv;
  };

  const check = async (schema: Record<string, unknown>): Promise<SchemaMistake[]> => {
    const draft = draftOf(schema);
    const fix = 'Use "https://json-schema.org/draft/2020-12/schema", or leave "$schema" out.';
    if (draft === null) return [{ pointer: '/$schema', what: 'only the drafts 2020-12 and 7 are known', fix }];
    const nodes = schemaNodes(schema);
    if (nodes.some(({ schema: one }) => '$async' in one)) {
      return [{ pointer: '/$async', what: 'it is no keyword of JSON Schema', fix: 'Take it out.' }];
    }
    const ajv = await ajvFor(draft, nodes);
    const meta = ajv.validateSchema(schema) === true ? [] : metaMistakes(ajv.errors ?? []);
    const mistakes = [...meta, ...referenceMistakes(schema, nodes), ...patternMistakes(nodes)];
    return mistakes.length > 0 ? mistakes : compileMistake(ajv, schema);
  };

  return async (schema) => {
    const large = tooLarge(schema);
    if (large) return [large];
    const key = JSON.stringify(schema);
    const known = seen.get(key);
    if (known) return known;
    const mistakes = (await check(schema)).slice(0, MAX_REPORTED);
    seen.set(key, mistakes);
    return mistakes;
  };
}
