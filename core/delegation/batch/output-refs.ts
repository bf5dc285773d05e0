import { codeSpans } from './code-spans.ts';

/** `{outputs.<id>}` with its id. */
export const OUTPUT_REF = /\{outputs\.([A-Za-z0-9_-]{1,64})\}/g;

/** Ids of the tasks whose output is named as `{outputs.<id>}`, apart for what stands in backticks. */
export function outputRefs(text: string): { plain: Set<string>; code: Set<string> } {
  const found = { plain: new Set<string>(), code: new Set<string>() };
  if (!text.includes('{outputs.')) return found;
  for (const span of codeSpans(text)) {
    for (const [, id = ''] of span.text.matchAll(OUTPUT_REF)) (span.code ? found.code : found.plain).add(id);
  }
  return found;
}

/**
 * `text` with each `{outputs.<id>}` replaced by what `outputOf` gives for the id (R10), also in backticks. Where that
 * is undefined, no task of the set has the id: the marker is literal text and stays. What is put in is not looked at
 * again.
 */
export function replaceOutputRefs(text: string, outputOf: (id: string) => string | undefined): string {
  return text.replace(OUTPUT_REF, (marker, id: string) => outputOf(id) ?? marker);
}
