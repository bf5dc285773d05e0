import { inertText } from '../../kit/terminal-text.ts';
import type { Entry } from '../../protocol/entry.ts';
import { entryText } from './transcript-text.ts';
import { duration, money, oneLineOf } from './plain-words.ts';
import type { Exported, ExportedRun } from './exported.ts';

/** Text that could be read as Markdown or HTML, as what it is. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+\-!|&~]/g, (character) => `\\${character}`);
}

/** A text of an agent as a block that nothing in it can end. */
function block(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}text\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** A conversation as Markdown, for people and for other tools. */
export function toMarkdown({ conversation, sets, runs }: Exported): string {
  const parts = [`# ${escaped(oneLineOf(conversation.title, 200))}`, '', facts(conversation.conversation_id, runs)];
  const of = (id: string | null): readonly ExportedRun[] => runs.filter(({ run }) => run.delegation_id === id);
  for (const lead of of(null)) parts.push('', runPart(lead));
  for (const set of sets) {
    parts.push('', `## Set ${set.set} (${set.status})`);
    for (const run of of(set.delegation_id)) parts.push('', runPart(run));
  }
  return `${parts.join('\n')}\n`;
}

function facts(id: string, runs: readonly ExportedRun[]): string {
  return `Conversation \`${id}\`, ${runs.length} ${runs.length === 1 ? 'run' : 'runs'}.`;
}

function runPart({ run, result, transcript }: ExportedRun): string {
  const name = escaped(oneLineOf(run.label ?? run.goal, 120));
  const spent = `${duration(run.active_seconds)}, ${money(run.cost_usd)}`;
  const parts = [
    `### ${escaped(run.tag)} ${name}`.replace('###  ', '### '),
    '',
    `${escaped(run.words)} · agent \`${run.agent}\` · ${spent} · \`${run.run_id}\``,
    '',
    '**Goal**',
    '',
    block(inertText(run.goal)),
  ];
  if (result !== null && result.summary !== '') parts.push('', '**Answer**', '', block(inertText(result.summary)));
  if (result?.error !== undefined) parts.push('', '**Error**', '', block(inertText(result.error)));
  if (transcript.length > 0) parts.push('', '**Transcript**', '', block(textOf(transcript)));
  return parts.join('\n');
}

function textOf(entries: readonly Entry[]): string {
  return entries.map(entryText).join('');
}
