import { err, ok, type Result } from '../../../kit/result.ts';
import { parseToolArguments } from './parse-tool-arguments.ts';
import { failure, type Tool, type ToolResult } from './tool.ts';

/** A call that may be run: known tool, whole and valid arguments. */
export interface PreparedCall {
  readonly tool: Tool;
  readonly args: Readonly<Record<string, unknown>>;
  /** One line of activity. */
  readonly title: string;
}

/**
 * Checks a call of a model before anything is asked or run. The error is the call's result: unknown tool, arguments cut, not JSON or
 * not fitting (B09, B19).
 */
export function prepareCall(
  tools: readonly Tool[],
  name: string,
  rawArguments: string,
): Result<PreparedCall, ToolResult> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) {
    return err(failure(`There is no tool "${name.slice(0, 64)}". Tools: ${tools.map((one) => one.name).join(', ')}.`));
  }
  const parameterless = Object.keys(tool.inputSchema.properties).length === 0;
  const parsed = parseToolArguments(rawArguments, { parameterless });
  if (!parsed.ok) return err(failure(parsed.error.message));
  const checked = tool.check(parsed.value);
  if (!checked.ok) return err(failure(`${name} was not run: ${checked.error}.`));
  return ok({ tool, args: checked.value, title: tool.describe(checked.value) });
}
