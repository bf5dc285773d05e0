/** The tool through which a run hands over its structured output (P8): in our loop, and over MCP in other agents. */
export const REPORT = 'report_result';

/** What a model is told of it. */
export const REPORT_DESCRIPTION =
  'Hands over the structured output of the task. Call it once, when everything else is done.';

type Schema = Readonly<Record<string, unknown>>;

/** Whether values of the schema are objects, which can be the arguments of a tool as they are. */
export function describesObjects(schema: Schema): boolean {
  const { type } = schema;
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

/** The schema as a tool's arguments; one of anything but objects is put into a field `result`. */
export function reportInput(schema: Schema): Schema {
  return describesObjects(schema) ? schema : wrapped(schema);
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
