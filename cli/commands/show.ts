import { plainText } from '../../core/kit/terminal-text.ts';
import type { ReadingClient } from '../../core/host/offline/offline-client.ts';
import { activeSeconds } from '../../core/protocol/active-time.ts';
import type { ResultEntry } from '../../core/protocol/result-entry.ts';
import type { AskRow, RunRow, SetRow } from '../../core/protocol/rows.ts';
import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { Failure } from '../core/failure.ts';
import { momentOf, noteLeftAtWork } from '../core/left-at-work.ts';
import { askLines, asksBelow, asksIn } from '../core/open-asks.ts';
import { whereWorkIs } from '../core/worktree-words.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';
import { duration, money, oneLineOf } from '../../core/host/export/plain-words.ts';

/** `espalier show`: one conversation, set or run with its result. */
export async function run({ cores, terminal, clock }: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const [id = ''] = args.positionals;
  const reading = await cores.openReading();
  const { client, close } = reading;
  try {
    const { value, runs, text, asksOf } = await look(client, id, momentOf(reading, clock));
    const asks = asksOf(await client.asks.list());
    if (args.flag('json')) await terminal.out(`${JSON.stringify({ ...value, asks })}\n`);
    else await terminal.show([text, ...asks.flatMap(askLines).map((line) => `${line}\n`)].join(''));
    noteLeftAtWork(terminal, reading, runs);
    return EXIT.done;
  } finally {
    await close();
  }
}

/** What was found, for programs and for people, the runs in it, and which of all open asks are of it. */
interface Looked {
  readonly value: object;
  readonly runs: readonly RunRow[];
  readonly text: string;
  asksOf(all: readonly AskRow[]): AskRow[];
}

async function look(client: ReadingClient, id: string, at: number): Promise<Looked> {
  if (id.startsWith('conv_')) {
    const value = await client.conversations.show({ id });
    const { conversation, sets, runs } = value;
    const head = `${id}  ${oneLineOf(conversation.title)}`;
    const worked = runs.reduce((sum, run) => sum + activeSeconds(run, at), 0);
    const spent = `${duration(worked)} of work, ${money(value.totals.cost_usd)}`;
    const leads = runs.filter((run) => run.lead).map((run) => runLine(run, at));
    const parts = sets.flatMap((set) =>
      setLines(
        set,
        runs.filter((run) => run.delegation_id === set.delegation_id),
        at,
      ),
    );
    const asksOf = (all: readonly AskRow[]): AskRow[] => asksIn(all, id);
    return { value, runs, asksOf, text: `${[head, spent, ...leads, ...parts].join('\n')}\n` };
  }
  if (id.startsWith('deleg_')) {
    const value = await client.sets.show({ id });
    const results = value.result?.results ?? [];
    const bodies = results.map((entry) => `\n${describeResult(entry)}`);
    const { set, runs } = value;
    const asksOf = (all: readonly AskRow[]): AskRow[] =>
      asksBelow(
        all,
        runs.map(({ run_id }) => run_id),
      );
    return { value, runs, asksOf, text: `${[...setLines(set, runs, at), ...bodies].join('\n')}\n` };
  }
  if (id.startsWith('run_')) {
    const value = await client.runs.show({ id });
    const { run: row, result } = value;
    const facts = [runLine(row, at), [`agent ${row.agent}`, ...modelOf(row), money(row.cost_usd)].join(', ')];
    const advice = row.advice === null ? [] : [`→ ${oneLineOf(row.advice, 200)}`];
    const body = result === null ? `Goal: ${row.goal}` : describeResult(result);
    const asksOf = (all: readonly AskRow[]): AskRow[] => asksBelow(all, [id]);
    return { value, runs: [row], asksOf, text: `${[...facts, ...advice, '', body].join('\n')}\n` };
  }
  throw new Failure(EXIT.usage, `${id} is no id of a conversation (conv_…), set (deleg_…) or run (run_…).`);
}

/** A program has no model; a coding agent that was named none takes its own. */
function modelOf({ runner, model }: RunRow): string[] {
  if (runner === 'command') return [];
  return [`model ${model ?? 'its own'}`];
}

function setLines(set: SetRow, runs: readonly RunRow[], at: number): string[] {
  const head = `${set.delegation_id}  set ${set.set}: ${set.status}, ${set.ended}/${set.count} ended`;
  return [head, ...runs.map((run) => `  ${runLine(run, at)}`)];
}

function runLine(row: RunRow, at: number): string {
  const tail = row.failure_text === null ? '' : ` — ${oneLineOf(row.failure_text, 200)}`;
  const tag = row.lead ? 'lead' : row.tag;
  return `${row.run_id}  ${tag} ${oneLineOf(row.label ?? row.goal, 60)}: ${row.words}, ${duration(activeSeconds(row, at))}${tail}`;
}

function acceptanceParts({ acceptance }: ResultEntry): string[] {
  return (acceptance?.commands ?? []).flatMap(({ command, exit_code, output }) => [
    `Verify: ${oneLineOf(command)} → ${exit_code === null ? 'did not end by itself' : `exit ${String(exit_code)}`}`,
    exit_code === 0 ? '' : plainText(output),
  ]);
}

function worktreeParts({ worktree }: ResultEntry): string[] {
  if (worktree == null) return [];
  const { kept, note } = worktree;
  const place = kept ? whereWorkIs(worktree) : 'nothing was in it, removed';
  return [`Worktree: ${place}`, note === undefined ? '' : `Note: ${note}`];
}

/** What is known beside the text: errors of the schema, where a long text is whole, and what was left running. */
function keptParts({ schema_errors = [], summary_path, survivors = [], background = [] }: ResultEntry): string[] {
  return [
    ...schema_errors.map((error) => `Does not match the schema: ${error}`),
    ...(summary_path === undefined ? [] : [`Whole text: ${summary_path}`]),
    ...survivors.map(({ pid, command }) => `Still running: ${oneLineOf(command)} (pid ${String(pid)})`),
    ...background.map(
      ({ pid, command }) => `Left in the background, ended: ${oneLineOf(command)} (pid ${String(pid)})`,
    ),
  ];
}

function describeResult(entry: ResultEntry): string {
  const name = oneLineOf(entry.label ?? entry.goal, 80);
  // T4: the outcome never stands without its caveats.
  const marks = [
    entry.status.replace('_', ' '),
    ...(entry.truncated ? ['truncated'] : []),
    ...(entry.acceptance?.status === 'failed' ? ['acceptance failed'] : []),
    ...(entry.text_cut === true ? ['text cut'] : []),
  ];
  const parts = [`## ${name} (${marks.join(', ')})`, entry.summary];
  if (entry.error !== undefined) parts.push(`Error: ${entry.error}`);
  if (entry.output !== undefined) parts.push(`Output: ${JSON.stringify(entry.output, null, 2)}`);
  parts.push(...keptParts(entry));
  parts.push(...acceptanceParts(entry), ...worktreeParts(entry));
  for (const text of entry.missed_steer ?? []) parts.push(`Not heard: ${text}`);
  return parts.filter((part) => part !== '').join('\n');
}
