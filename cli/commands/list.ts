import { listRow } from '../../core/host/progress/list-row.ts';
import type { ReadingClient } from '../../core/host/offline/offline-client.ts';
import { activeSeconds } from '../../core/protocol/active-time.ts';
import { isEnded } from '../../core/protocol/lifecycle.ts';
import type { AskRow, ConversationRow, RunRow, SetRow } from '../../core/protocol/rows.ts';
import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { momentOf, noteLeftAtWork } from '../core/left-at-work.ts';
import { askLines, asksIn } from '../core/open-asks.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';
import { duration, money, oneLineOf } from '../../core/host/export/plain-words.ts';

type Shown = Awaited<ReturnType<ReadingClient['conversations']['show']>>;

/** `espalier list`: conversations with their sets and runs; for people only what is open or failed, unless `--all`. */
export async function run({ cores, terminal, clock }: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const reading = await cores.openReading();
  const { client, close } = reading;
  try {
    const rows = await client.conversations.list({ all: args.flag('all') });
    const shown: Shown[] = [];
    for (const { conversation_id } of rows) shown.push(await client.conversations.show({ id: conversation_id }));
    const open = await client.asks.list();
    const at = momentOf(reading, clock);
    const asksOf = ({ conversation }: Shown): AskRow[] => asksIn(open, conversation.conversation_id);
    if (args.flag('json')) {
      const list = shown.map((one) => ({
        ...{ conversation: one.conversation, sets: one.sets, runs: one.runs.map(listRow) },
        asks: asksOf(one),
      }));
      await terminal.out(`${JSON.stringify(list)}\n`);
    } else if (shown.length === 0) terminal.note('There are no conversations yet.');
    else await terminal.show(shown.map((one) => describe(one, asksOf(one), { all: args.flag('all'), at })).join('\n'));
    noteLeftAtWork(
      terminal,
      reading,
      shown.flatMap(({ runs }) => runs),
    );
    return EXIT.done;
  } finally {
    await close();
  }
}

function describe(
  { conversation, sets, runs }: Shown,
  asks: readonly AskRow[],
  { all, at }: { readonly all: boolean; readonly at: number },
): string {
  const lines = [conversationLine(conversation)];
  const leads = runs.filter((run) => run.lead);
  for (const run of leads) lines.push(runLine(run, 'lead', at));
  for (const set of sets) {
    lines.push(setLine(set));
    const own = runs.filter((run) => run.delegation_id === set.delegation_id);
    const interesting = own.filter((run) => all || !isEnded(run.state) || run.failure_line !== null);
    for (const run of interesting) lines.push(runLine(run, run.tag, at));
  }
  for (const line of asks.flatMap(askLines)) lines.push(`  ${line}`);
  return `${lines.join('\n')}\n`;
}

function conversationLine(row: ConversationRow): string {
  const facts = [`${row.ended}/${row.runs} ended`, `${row.working} at work`];
  if (row.needs_you > 0) facts.push(`${row.needs_you} need you`);
  if (row.unseen_failures > 0) facts.push(`${row.unseen_failures} failed`);
  if (row.scripted) facts.push('scripted');
  if (row.archived) facts.push('archived');
  if (row.paused) facts.push('paused');
  if (row.held > 0) facts.push(`${row.held} held`);
  return `${row.conversation_id}  ${oneLineOf(row.title)}  (${facts.join(', ')}, ${money(row.cost_usd)})`;
}

function setLine(row: SetRow): string {
  const title = row.title === null ? '' : `  ${oneLineOf(row.title, 60)}`;
  const paused = row.paused ? ', paused' : '';
  return `  ${row.delegation_id}  set ${row.set}: ${row.status}, ${row.ended}/${row.count} ended${paused}${title}`;
}

function runLine(row: RunRow, tag: string, at: number): string {
  // What it was at last is no news of a run that has ended: its words say how that went.
  const what = row.failure_text ?? (isEnded(row.state) ? null : row.activity);
  const name = oneLineOf(row.label ?? row.goal, 40);
  const tail = what === null ? '' : ` — ${oneLineOf(what)}`;
  return `    ${row.run_id}  ${tag} ${name}: ${row.words}, ${duration(activeSeconds(row, at))}${tail}`;
}
