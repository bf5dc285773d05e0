import { ok } from '../../../kit/result.ts';
import { REPORT, REPORT_DESCRIPTION, reportInput } from '../../../protocol/report-tool.ts';
import type { InputSchema, Tool } from '../tools/tool.ts';

/** The tool with the schema as its arguments (P8). */
export function reportTool(schema: Readonly<Record<string, unknown>>): Tool {
  return {
    name: REPORT,
    description: REPORT_DESCRIPTION,
    inputSchema: reportInput(schema) as unknown as InputSchema,
    readOnly: true,
    permission: 'free',
    check: ok,
    describe: () => 'Reporting the result',
    run: () => Promise.reject(new Error(`${REPORT} is taken by the loop`)),
  };
}
