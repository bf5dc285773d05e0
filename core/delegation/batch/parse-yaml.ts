import { isScalar, parseDocument, visit, type Document, type YAMLMap } from 'yaml';
import type { BatchProblem } from '../../protocol/errors.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { lineAndColumn } from './json-position.ts';
import { batchProblem } from './problem.ts';

/** How often aliases may multiply what the file says; more is an attack or a mistake. */
const MAX_ALIASES = 100;

/** Mistakes that are reported of one file. */
const MAX_REPORTED = 20;

const FIX = 'Mend the YAML; put text with ": " or " #" in it in quotes.';

function mistake(text: string, offset: number, what: string): BatchProblem {
  const { line, column } = lineAndColumn(text, offset);
  const place = `line ${line}, column ${column}`;
  return batchProblem(`The YAML cannot be read at ${place}: ${what}.`, FIX, { pointer: place });
}

function unreadable(why: string): BatchProblem {
  return batchProblem(`The YAML cannot be read: ${why}.`, FIX);
}

function duplicateOf(map: YAMLMap): { key: string; offset: number } | null {
  const seen = new Set<string>();
  for (const { key } of map.items) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    if (seen.has(name)) return { key: name, offset: key.range?.[0] ?? 0 };
    seen.add(name);
  }
  return null;
}

/** The library's own check of keys compares every key with every other; this one stays linear in a file of many. */
function duplicateKeys(text: string, document: Document): BatchProblem[] {
  const problems: BatchProblem[] = [];
  visit(document, {
    Map(_, map) {
      const duplicate = duplicateOf(map);
      if (duplicate) problems.push(mistake(text, duplicate.offset, `the key ${duplicate.key} is there twice`));
      return problems.length < MAX_REPORTED ? undefined : visit.BREAK;
    },
  });
  return problems;
}

function read(text: string): Result<unknown, BatchProblem[]> {
  const document = parseDocument(text, {
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
    stringKeys: true,
  });
  // One mistake and not one for every level; which words it has depends on where the stack ended.
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION'))
    return err([unreadable('it is nested too deeply')]);
  const wrong = [...document.errors, ...document.warnings].slice(0, MAX_REPORTED);
  if (wrong.length > 0) return err(wrong.map(({ pos, message }) => mistake(text, pos[0], message)));
  const duplicates = duplicateKeys(text, document);
  return duplicates.length > 0 ? err(duplicates) : ok(document.toJS({ maxAliasCount: MAX_ALIASES }));
}

/** The value of a YAML 1.2 document (core schema). Own tags, several documents and multiplying aliases are refused. */
export function parseYaml(text: string): Result<unknown, BatchProblem[]> {
  try {
    return read(text);
  } catch (error) {
    // The library throws for aliases that multiply without bound and runs out of stack on absurd nesting.
    const why = error instanceof RangeError ? 'it is nested too deeply' : 'its aliases cannot be resolved';
    return err([unreadable(why)]);
  }
}
