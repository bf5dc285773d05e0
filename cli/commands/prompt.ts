import type { ApiClient } from '../../core/host/serve/local-connection.ts';
import { batchText } from '../../core/host/batch-text.ts';
import { BATCH_MAXIMA } from '../../core/protocol/batch.ts';
import type { FeedMessage } from '../../core/protocol/feed.ts';
import { isEnded } from '../../core/protocol/lifecycle.ts';
import { PromptResult, type ResultEntry } from '../../core/protocol/result-entry.ts';
import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { dispatchOptions } from '../core/dispatch-options.ts';
import { Failure } from '../core/failure.ts';
import { Interrupts } from '../core/interrupts.ts';
import { CoreLine } from '../core/line.ts';
import { projectFolder } from '../core/named-folder.ts';
import { resultNotes } from '../core/result-notes.ts';
import { statusOf, watchToEnd } from '../core/watch.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';

const NAME = 'espalier prompt';

/** `espalier prompt`: one lead run, which ends after its answer; prints the text of it. */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const { terminal } = context;
  const interrupts = new Interrupts(terminal);
  const text = await interrupts.before(readPrompt(context, args.positionals[0] ?? ''));
  const folder = projectFolder(context, args);
  const attended = terminal.isInteractive;
  const line = await interrupts.before(CoreLine.open(context, { attended, work: true }, args.flag('detach')));
  try {
    const message = await interrupts.before(prepare(context, args, line, folder, text));
    const started = await interrupts.during(
      line.call((client) => client.leads.send(message)),
      ({ run_id: id }) => line.call((client) => client.runs.stop({ id, now: true })),
    );
    if (args.flag('detach') && interrupts.count === 0) {
      await terminal.out(`${JSON.stringify(started)}\n`);
      return EXIT.done;
    }
    const { conversation_id, run_id } = started;
    const ids = { conversationId: conversation_id, stopId: run_id };
    const isOver = (message: FeedMessage): boolean => hasEnded(message, run_id);
    const end = await watchToEnd({ context, line, interrupts, name: NAME, ...ids, isOver });
    if (end === 'left') return statusOf(end, false);
    const { run: row, result } = await line.call((client) => client.runs.show({ id: run_id }));
    if (result === null) throw new Failure(EXIT.environment, `${run_id} ended without a result.`);
    for (const note of resultNotes(result)) terminal.note(note);
    if (args.flag('json')) {
      const { totals } = await line.call((client) => client.conversations.show({ id: conversation_id }));
      const whole = PromptResult.parse({ conversation_id, run_id, status: result.status, result, totals });
      await terminal.out(`${JSON.stringify(whole)}\n`);
    } else {
      const answer = await line.call((client) => finalText(client, result));
      if (answer !== '') await terminal.show(answer.endsWith('\n') ? answer : `${answer}\n`);
    }
    return statusOf(end, result.status === 'completed' && row.caveats.length === 0);
  } finally {
    interrupts.close();
    await line.close();
  }
}

async function readPrompt({ terminal }: CommandContext, given: string): Promise<string> {
  const tooLong = new Failure(EXIT.usage, `A prompt has at most ${BATCH_MAXIMA.goalBytes / 1024} KiB.`);
  const bytes = given === '-' ? await terminal.readAll(BATCH_MAXIMA.goalBytes) : null;
  if (given === '-' && bytes === null) throw tooLong;
  const text = bytes === null ? given : textOf(bytes);
  if (text.trim() === '') throw new Failure(EXIT.usage, 'The prompt is blank. Nothing was started.');
  return text;
}

/** What is no text would reach the model as marks of replacement. */
function textOf(bytes: Uint8Array): string {
  const text = batchText(bytes);
  if (text.ok) return text.value;
  const why = 'it holds bytes that are no UTF-8, or a NUL character';
  throw new Failure(EXIT.usage, `The prompt is no text: ${why}. Nothing was started.`);
}

/** Validates the prompt in its folder, and attaches that as a project. Nothing is stored, not even the project, when it is not valid (S1). */
async function prepare(context: CommandContext, args: ParsedArguments, line: CoreLine, folder: string, text: string) {
  const options = dispatchOptions(args);
  const prompt = { text, options };
  const judged = await line.call((client) => client.leads.validate({ project_id: null, folder, ...prompt }));
  if (judged.problem !== null) throw new Failure(EXIT.usage, 'Nothing was started:', `  ${judged.problem}`);
  if (judged.no_agent !== undefined)
    throw new Failure(EXIT.environment, 'Nothing was started:', `  ${judged.no_agent}`);
  const { project_id } = await line.call((client) => client.projects.add({ path: folder }));
  const client_token = `cli-${context.random.hex(24)}`;
  return { project_id, conversation_id: null, ...prompt, once: true, client_token };
}

function hasEnded(message: FeedMessage, runId: string): boolean {
  if (message.type === 'hello') return false;
  const rows =
    message.type === 'snapshot'
      ? message.snapshot.runs
      : message.changes.flatMap((change) => (change.type === 'run' ? [change.row] : []));
  return rows.some((row) => row.run_id === runId && isEnded(row.state));
}

/** Entries looked at from the end for the answer; it is the last text of the transcript. */
const TAIL = 200;

/** The answer whole: from the transcript where the result entry has it cut (P5). */
async function finalText(client: ApiClient, result: ResultEntry): Promise<string> {
  if (result.summary_truncated !== true) return result.summary;
  const run_id = result.run_id;
  const { entry_count } = await client.transcript.page({ run_id, from: 0, limit: 1 });
  const { entries } = await client.transcript.page({ run_id, from: Math.max(0, entry_count - TAIL), limit: TAIL });
  return entries.findLast(({ meta }) => meta.type === 'text')?.text ?? result.summary;
}
