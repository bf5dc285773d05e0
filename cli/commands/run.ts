import type { ParsedBatch } from '../../core/protocol/api/batches.ts';
import type { FeedMessage } from '../../core/protocol/feed.ts';
import { SetResult, type Totals } from '../../core/protocol/result-entry.ts';
import type { SetRow } from '../../core/protocol/rows.ts';
import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { readBatchFile, tokenOf } from '../core/batch-file.ts';
import { dispatchOptions } from '../core/dispatch-options.ts';
import { Failure } from '../core/failure.ts';
import { Interrupts } from '../core/interrupts.ts';
import { CoreLine } from '../core/line.ts';
import { projectFolder } from '../core/named-folder.ts';
import { resultNotes } from '../core/result-notes.ts';
import { statusOf, watchToEnd } from '../core/watch.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';
import { duration, money } from '../../core/host/export/plain-words.ts';

const NAME = 'espalier run';

/** `espalier run`: validates and runs a batch, and waits for its end. */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const { terminal } = context;
  const interrupts = new Interrupts(terminal);
  const file = await interrupts.before(readBatchFile(context, args.positionals[0] ?? ''));
  const folder = projectFolder(context, args);
  const attended = terminal.isInteractive;
  const line = await interrupts.before(CoreLine.open(context, { attended, work: true }, args.flag('detach')));
  try {
    const prepared = await interrupts.before(prepare(context, args, line, folder, file));
    const set = await interrupts.during(
      line.call((client) => client.batches.dispatch(prepared)),
      ({ delegation_id: id }) => line.call((client) => client.runs.stop({ id, now: true })),
    );
    if (args.flag('detach') && interrupts.count === 0) {
      await terminal.out(`${JSON.stringify(set)}\n`);
      return EXIT.done;
    }
    const { conversation_id: conversationId, delegation_id: stopId } = set;
    const isOver = (message: FeedMessage): boolean => hasEnded(message, stopId);
    const end = await watchToEnd({ context, line, interrupts, name: NAME, conversationId, stopId, isOver });
    if (end === 'left') return statusOf(end, false);
    const { set: row, result } = await line.call((client) => client.sets.show({ id: stopId }));
    if (result === null) throw new Failure(EXIT.environment, `${stopId} ended without a result.`);
    for (const note of result.results.flatMap(resultNotes)) terminal.note(note);
    terminal.note(summaryLine(row, result));
    if (args.flag('json')) await terminal.out(`${JSON.stringify(SetResult.parse(result))}\n`);
    else terminal.note(`espalier show ${stopId} prints the results.`);
    return statusOf(end, result.status === 'completed');
  } finally {
    interrupts.close();
    await line.close();
  }
}

/** Parses and validates the batch, and attaches the project. Nothing is stored, not even the project, when it is not valid (S1). */
async function prepare(
  context: CommandContext,
  args: ParsedArguments,
  line: CoreLine,
  folder: string,
  file: { text: string; name: string | null },
) {
  const options = dispatchOptions(args);
  const meant = { project_id: null, folder };
  const parsed: ParsedBatch = await line.call((client) => client.batches.parse({ ...meant, ...file }));
  const { batch, skipped } = parsed;
  const { problems, no_agent } = await line.call((client) => client.batches.validate({ ...meant, batch, options }));
  if (problems.length > 0) {
    throw new Failure(
      EXIT.usage,
      'Nothing was started:',
      ...problems.map(({ message, fix }) => `  ${message} ${fix}`.trimEnd()),
    );
  }
  if (no_agent !== undefined) throw new Failure(EXIT.environment, 'Nothing was started:', `  ${no_agent}`);
  if (skipped > 0) context.terminal.note(`${skipped} ticked ${skipped === 1 ? 'item is' : 'items are'} left out.`);
  const { project_id } = await line.call((client) => client.projects.add({ path: folder }));
  const client_token = tokenOf(batch) ?? `cli-${context.random.hex(24)}`;
  return { project_id, conversation_id: null, batch, options, client_token };
}

function hasEnded(message: FeedMessage, delegationId: string): boolean {
  if (message.type === 'hello') return false;
  const rows =
    message.type === 'snapshot'
      ? message.snapshot.sets
      : message.changes.flatMap((change) => (change.type === 'set' ? [change.row] : []));
  return rows.some((row) => row.delegation_id === delegationId && row.status !== 'running');
}

function summaryLine(row: SetRow, { set, status, totals }: SetResult): string {
  const outcomes = (['completed', 'failed', 'timed_out', 'lost', 'stopped'] as const)
    .filter((outcome) => totals[outcome] > 0)
    .map((outcome) => `${totals[outcome]} ${outcome.replace('_', ' ')}`);
  const { nested, truncated, acceptance_failed } = totals;
  // T4: the caveats, in every surface.
  const caveats = [
    ...(truncated > 0 ? [`${truncated} truncated`] : []),
    ...(acceptance_failed > 0 ? [`${acceptance_failed} acceptance failed`] : []),
  ];
  const marked = caveats.length === 0 ? '' : ` (${caveats.join(', ')})`;
  const below = nested.runs === 0 ? '' : ` · ${nested.runs} nested, ${nested.failed} failed`;
  const spent = `${duration(secondsOf(row, totals))} · ${money(totals.cost_usd)}`;
  return `[set ${set}] ${status}: ${outcomes.join(', ')}${marked}${below} · ${spent}`;
}

/** How long people waited, as the clock on the wall shows it; the totals add up what its runs worked at the same time. */
function secondsOf({ created_at, ended_at }: SetRow, totals: Totals): number {
  return ended_at === null ? totals.duration_seconds : (ended_at - created_at) / 1000;
}
