import type { ResultEntry, WorktreeResult } from '../../../core/protocol/result-entry.ts';
import type { RunRow } from '../../../core/protocol/rows.ts';
import { formatDuration, formatMoney } from '../../shared/format.ts';
import { proofWords } from '../../shared/proof-words.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { strings } from '../../shared/strings.ts';

const words = runStrings.result;

/** A label and its value, as one line of a table. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

const count = (value: number): string => value.toLocaleString();

/** What the run has used; lines without a count are left out. `scripted`: no model answered, and nothing was spent. */
export function usageFacts(result: ResultEntry, scripted = false): readonly Fact[] {
  const { tokens } = result;
  const facts: readonly (readonly [string, number])[] = [
    [words.turns, result.turns],
    [words.toolCalls, result.tool_calls],
    [words.input, tokens.input],
    [words.cached, tokens.cached_input],
    [words.cacheWrite, tokens.cache_write],
    [words.outputTokens, tokens.output],
    [words.reasoning, tokens.reasoning],
  ];
  const how = scripted ? strings.frame.scriptedWord : result.cost_status;
  const cost = result.cost_usd === null ? words.unknownCost : `${formatMoney(result.cost_usd)} (${how})`;
  // A program that asks no model costs nothing that anything could be included in.
  const priced = result.turns > 0 || result.cost_status !== 'included' || result.cost_usd !== 0;
  return [
    { name: words.duration, value: formatDuration(result.duration_seconds) },
    ...(priced ? [{ name: words.cost, value: cost }] : []),
    ...facts.filter(([, value]) => value > 0).map(([name, value]) => ({ name, value: count(value) })),
  ];
}

/** What a completed run must say beside its outcome (T4), and what else limits how far its answer can be trusted. */
export function caveatWords(result: ResultEntry): readonly string[] {
  return [
    result.truncated ? words.truncated : '',
    result.acceptance?.status === 'failed' ? words.acceptanceFailed : '',
    result.schema_valid === false ? words.schemaInvalid : '',
    result.text_cut === true ? words.textCut : '',
  ].filter((part) => part !== '');
}

/** How the structured output stands to its schema. */
export function schemaWords(result: ResultEntry): string {
  if (result.schema_valid === undefined) return '';
  const verdict = result.schema_valid ? words.schemaValid : words.schemaInvalid;
  return result.schema_retries === undefined ? verdict : `${verdict}, ${words.schemaRetries(result.schema_retries)}`;
}

const yes = (value: boolean | null): string => (value === null ? words.notMeasured : value ? words.yes : words.no);

/** What was found in the run's worktree. */
export function worktreeFacts(worktree: WorktreeResult): readonly Fact[] {
  return [
    { name: words.branch, value: worktree.branch },
    { name: words.base, value: worktree.base_commit.slice(0, 12) },
    { name: words.commits, value: worktree.commits === null ? words.notMeasured : count(worktree.commits) },
    { name: words.dirty, value: yes(worktree.dirty) },
    { name: worktree.kept ? words.kept : words.removed, value: worktree.path },
    ...(worktree.note === undefined ? [] : [{ name: words.note, value: worktree.note }]),
  ];
}

/** How the run came to be and to its end: attempts, what it repeats or goes on from. */
export function historyFacts(run: RunRow): readonly Fact[] {
  return [
    run.attempts > 1 ? { name: words.retries, value: count(run.attempts) } : null,
    run.retry_of === null ? null : { name: words.retryOf, value: run.retry_of },
    run.retried_by === null ? null : { name: words.retriedBy, value: run.retried_by },
    run.continues === null ? null : { name: words.continues, value: run.continues },
    run.proof === null ? null : { name: words.proof, value: proofWords(run.proof) },
  ].filter((fact) => fact !== null);
}

const fence = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  return '`'.repeat(longest + 1);
};

const section = (title: string, body: string): string => (body.trim() === '' ? '' : `## ${title}\n\n${body.trim()}\n`);
const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

/** The result as Markdown, to paste into an issue or a message. */
export function resultMarkdown(run: RunRow, result: ResultEntry): string {
  const title = result.label ?? result.goal.trim().split('\n', 1)[0] ?? '';
  const output = result.output === undefined ? '' : JSON.stringify(result.output, null, 2);
  const ticks = fence(output);
  return [
    `# ${title}\n`,
    `${[run.words, result.agent, result.model].filter(Boolean).join(' · ')}\n`,
    section(words.caveats, list(caveatWords(result))),
    section(words.error, result.error ?? ''),
    section(words.summary, result.summary),
    output === '' ? '' : section(words.output, `${ticks}json\n${output}\n${ticks}`),
    section(words.usage, list(usageFacts(result).map(({ name, value }) => `${name}: ${value}`))),
    section(words.filesWritten, list(result.files_written)),
    section(words.missed, list(result.missed_steer ?? [])),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** The result entry exactly as every surface gives it (T6). */
export const resultJson = (result: ResultEntry): string => JSON.stringify(result, null, 2);
