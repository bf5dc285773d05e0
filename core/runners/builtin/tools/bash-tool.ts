import type { ProcessName } from '../../../protocol/report.ts';
import { defineTool } from './define-tool.ts';
import { type CapturedOutput, OutputCapture } from './output-capture.ts';
import type { ProgramEnd } from './programs.ts';
import { commandEnvironment, commandShell } from './shell.ts';
import { failure, type ToolContext, type ToolResult } from './tool.ts';

const DEFAULT_TIMEOUT_SECONDS = 120;
const MAX_TIMEOUT_SECONDS = 3600;

/** Runs a shell command, in the foreground with a timeout or in the background. */
export const bashTool = defineTool({
  name: 'bash',
  description:
    'Runs a shell command in the workspace folder and returns its output (stdout and stderr, long output cut in the middle with the full text in a file). ' +
    'There is no terminal and no input. Each call is a new shell: directory and variables are not kept. Set background for servers and ' +
    'watchers, and use bash_output, bash_list and bash_kill with the id it returns. Prefer read, edit, grep and glob for files.',
  fields: {
    command: { type: 'string', description: 'the command line', minLength: 1 },
    timeout_seconds: {
      type: 'integer',
      description: `the command is ended after this; ${DEFAULT_TIMEOUT_SECONDS} by default`,
      minimum: 1,
      maximum: MAX_TIMEOUT_SECONDS,
    },
    background: { type: 'boolean', description: 'start it and return at once' },
  },
  required: ['command'],
  readOnly: false,
  permission: 'execute',
  describe: ({ command, background }) => `${background === true ? 'Starting' : 'Running'} ${command}`,
  run: ({ command, timeout_seconds, background }, context) => {
    if (command.includes('\0')) return Promise.resolve(failure('The command holds a NUL character; nothing was run.'));
    if (background === true) return startInBackground(command, context);
    return runInForeground(command, timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS, context);
  },
});

async function runInForeground(command: string, timeoutSeconds: number, context: ToolContext): Promise<ToolResult> {
  const shell = commandShell(context.environment);
  const capture = new OutputCapture({
    spillFolder: context.spillFolder,
    name: 'bash',
    onOutput: (chunk) => context.onOutput(chunk),
  });
  const program = context.programs.start({
    file: shell.file,
    args: shell.args(command),
    cwd: context.workspace,
    environment: commandEnvironment(context.environment),
    timeoutMs: timeoutSeconds * 1000,
    signal: context.signal,
    onOutput: (text, stream) => capture.push(text, stream),
  });
  const end = await program.ended;
  const output = capture.finish();
  return {
    isError: end.reason !== 'exited' || end.exitCode !== 0,
    text: [...outputLines(output), ...endLines(end, timeoutSeconds)].join('\n'),
    display: { type: 'output', command, exit_code: end.exitCode, signal: end.signal, spill_path: output.spillPath },
  };
}

async function startInBackground(command: string, context: ToolContext): Promise<ToolResult> {
  const shell = commandShell(context.environment);
  const started = await context.background.start({
    command,
    file: shell.file,
    args: shell.args(command),
    cwd: context.workspace,
    environment: commandEnvironment(context.environment),
    spillFolder: context.spillFolder,
  });
  if (!started.ok) return failure(`The command was not started: ${started.error}.`);
  const { id, pid, logPath } = started.value;
  return {
    isError: false,
    text: `Started in the background as ${id} (pid ${pid}). Read it with bash_output, end it with bash_kill. Full log: ${logPath}`,
    display: { type: 'output', command, exit_code: null, signal: null, spill_path: logPath },
  };
}

function outputLines(output: CapturedOutput): string[] {
  const text = output.text.replace(/\n+$/, '');
  const lines = text === '' ? ['(no output)'] : [text];
  if (output.spillPath !== null && output.spillFault !== null)
    lines.push(`[the full text is incomplete: ${output.spillFault}]`);
  return lines;
}

function endLines(end: ProgramEnd, timeoutSeconds: number): string[] {
  const lines: string[] = [];
  if (end.reason === 'not_started') lines.push(`[not started: ${end.message ?? 'unknown reason'}]`);
  if (end.reason === 'timed_out') {
    lines.push(
      `[ended after its timeout of ${timeoutSeconds} s; set timeout_seconds (at most ${MAX_TIMEOUT_SECONDS}) or background]`,
    );
  }
  if (end.reason === 'stopped') lines.push('[stopped]');
  if (end.reason === 'exited' && end.signal !== null) lines.push(`[ended by signal ${end.signal}]`);
  if (end.reason === 'exited' && end.exitCode !== null && end.exitCode !== 0) lines.push(`[exit code ${end.exitCode}]`);
  if (end.leftRunning.length > 0)
    lines.push(`[still running, started by the command: ${processWords(end.leftRunning)}]`);
  if (end.survivors.length > 0) lines.push(`[could not be ended: ${processWords(end.survivors)}]`);
  return lines;
}

/** Processes as words: `sleep 100 (pid 12)`. */
export function processWords(processes: readonly ProcessName[]): string {
  return processes.map(({ pid, command }) => `${command.slice(0, 80)} (pid ${pid})`).join(', ');
}
