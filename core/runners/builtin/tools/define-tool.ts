import type { Result } from '../../../kit/result.ts';
import type { Tool, ToolContext, ToolPermission, ToolResult } from './tool.ts';
import { failure } from './tool.ts';
import { type ArgumentFields, checkArguments, type ToolArguments } from './tool-arguments.ts';

interface ToolParts<F extends ArgumentFields, R extends keyof F & string> {
  readonly name: string;
  readonly description: string;
  readonly fields: F;
  readonly required: readonly R[];
  readonly readOnly: boolean;
  readonly permission: ToolPermission;
  describe(args: ToolArguments<F, R>): string;
  run(args: ToolArguments<F, R>, context: ToolContext): Promise<ToolResult>;
}

/** A built-in tool from its parts. Its `run` never gets arguments that did not pass the check. */
export function defineTool<const F extends ArgumentFields, const R extends keyof F & string>(
  parts: ToolParts<F, R>,
): Tool {
  const { name, description, fields, required, readOnly, permission } = parts;
  const check = (args: Readonly<Record<string, unknown>>): Result<Readonly<Record<string, unknown>>, string> =>
    checkArguments(fields, required, args);
  return {
    name,
    description,
    inputSchema: { type: 'object', properties: fields, required, additionalProperties: false },
    readOnly,
    permission,
    check,
    describe: (args) => oneLine(parts.describe(args as ToolArguments<F, R>)),
    async run(args, context) {
      const checked = check(args);
      if (!checked.ok) return failure(`${name} was not run: ${checked.error}.`);
      return parts.run(checked.value as ToolArguments<F, R>, context);
    },
  };
}

const ACTIVITY_LIMIT = 100;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= ACTIVITY_LIMIT ? line : `${characters.slice(0, ACTIVITY_LIMIT - 1).join('')}…`;
}
