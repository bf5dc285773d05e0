import { ok } from '../../../kit/result.ts';
import type { InputSchema, Tool } from '../tools/tool.ts';

/** The tool through which a run hands over its structured output (P8). */
export const REPORT = 'report_result';

type Schema = Readonly<Record<string, unknown>>;

/** Whether values of the schema are objects, which can be the arguments of a tool as they are. */
export function describesObjects(schema: Schema): boolean {
  const { type } = schema;
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

/** The tool with the schema as its arguments; a schema of anything but objects is put into a field `result`. */
export function reportTool(schema: Schema): Tool {
  return {
    name: REPORT,
    description: 'Hands over the structured output of the task. Call it once, when everything else is done.',
    inputSchema: (describesObjects(schema) ? schema : wrapped(schema)) as unknown as InputSchema,
    readOnly: true,
    permission: 'free',
    check: ok,
    describe: () => 'Reporting the result',
    run: () => Promise.reject(new Error(`${REPORT} is taken by the loop`)),
  };
}

/** Definitions move up with the root: their references begin there. */
function wrapped(schema: Schema): Schema {
  const { $defs, definitions, ...rest } = schema;
  return {
    type: 'object',
    properties: { result: rest },
    required: ['result'],
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}

/** The output that the arguments hold; undefined when the field `result` is missing. */
export function outputOf(schema: Schema, args: Readonly<Record<string, unknown>>): unknown {
  return describesObjects(schema) ? args : args['result'];
}
