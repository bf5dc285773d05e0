import { Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** The drafts of JSON Schema that are known. */
export type SchemaDraft = '2020-12' | '7';

const OPTIONS: Options = { strict: false, allErrors: true, validateFormats: false, logger: false, inlineRefs: false };

/**
 * A new compiler of schemas that fetches nothing. Import this file lazily (`await import`): most work has no schema, and loading the compiler takes
 * longer than a worker takes to start. The compiler is CommonJS, whose names a lazy import of the package itself would lose in a bundle.
 */
export function schemaCompiler(draft: SchemaDraft): Ajv {
  return draft === '7' ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
}
