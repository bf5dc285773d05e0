import type { BackgroundProcess } from './background-processes.ts';
import { processWords } from './bash-tool.ts';
import { defineTool } from './define-tool.ts';
import { failure, type ToolContext, type ToolResult } from './tool.ts';

const ID = { type: 'string', description: 'the id that bash returned, like bg_1', minLength: 1 } as const;
const LONGEST_WAIT_SECONDS = 60;

/** Reads what a background process wrote since the last read. */
export const bashOutputTool = defineTool({
  name: 'bash_output',
  description: 'Returns what a background process wrote since the last bash_output, and whether it still runs.',
  fields: {
    id: ID,
    wait_seconds: {
      type: 'integer',
      description: 'wait this long at most for new output or its end; 0 by default',
      minimum: 0,
      maximum: LONGEST_WAIT_SECONDS,
    },
  },
  required: ['id'],
  readOnly: true,
  permission: 'free',
  describe: ({ id }) => `Reading output of ${id}`,
  async run({ id, wait_seconds }, context) {
    if ((wait_seconds ?? 0) > 0) await context.background.waitForNews(id, (wait_seconds ?? 0) * 1000, context.signal);
    const read = context.background.read(id);
    if (read === null) return unknownId(id, context);
    const text = read.output.text.replace(/\n+$/, '');
    const state = `[${stateWords(read.process)}; full log: ${read.process.logPath}]`;
    return {
      isError: false,
      text: `${text === '' ? '(no new output)' : text}\n${state}`,
      display: display(read.process),
    };
  },
});

/** Lists the background processes of the run. */
export const bashListTool = defineTool({
  name: 'bash_list',
  description: 'Lists the background processes of this run with id, state and command.',
  fields: {},
  required: [],
  readOnly: true,
  permission: 'free',
  describe: () => 'Listing background processes',
  run(_args, context) {
    const lines = context.background
      .list()
      .map((process) => `${process.id}  ${stateWords(process)}  ${process.command}`);
    return Promise.resolve({ isError: false, text: lines.join('\n') || 'No background process was started.' });
  },
});

/** Ends a background process with everything it started. */
export const bashKillTool = defineTool({
  name: 'bash_kill',
  description: 'Ends a background process and everything it started.',
  fields: { id: ID },
  required: ['id'],
  readOnly: false,
  permission: 'free',
  describe: ({ id }) => `Ending ${id}`,
  async run({ id }, context) {
    const process = await context.background.kill(id);
    if (process === null) return unknownId(id, context);
    const survivors = process.end?.survivors ?? [];
    if (survivors.length === 0)
      return { isError: false, text: `${id}: ${stateWords(process)}.`, display: display(process) };
    return {
      ...failure(`${id} could not be ended whole; still alive: ${processWords(survivors)}.`),
      display: display(process),
    };
  },
});

function unknownId(id: string, context: ToolContext): ToolResult {
  const known = context.background.list().map((process) => process.id);
  return failure(
    `There is no background process "${id}". ${known.length > 0 ? `Known: ${known.join(', ')}.` : 'None was started.'}`,
  );
}

function stateWords({ end, seconds, pid }: BackgroundProcess): string {
  if (end === null) return `running for ${seconds} s, pid ${pid}`;
  if (end.reason === 'stopped') return `ended by request after ${seconds} s`;
  return end.signal === null
    ? `exited with code ${end.exitCode} after ${seconds} s`
    : `ended by signal ${end.signal} after ${seconds} s`;
}

function display({ command, end, logPath }: BackgroundProcess): ToolResult['display'] {
  return {
    type: 'output',
    command,
    exit_code: end?.exitCode ?? null,
    signal: end?.signal ?? null,
    spill_path: logPath,
  };
}
