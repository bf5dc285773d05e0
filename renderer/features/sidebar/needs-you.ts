import type { AskRow, ConversationRow, RunRow } from '../../../core/protocol/rows.ts';
import { MARK_FACTS, markOf, type Mark } from '../../shared/status.ts';
import { strings } from '../../shared/strings.ts';
import { visibleText } from '../../shared/visible-text.ts';

/** One entry under *Needs you*. */
export interface Need {
  readonly key: string;
  readonly mark: Mark;
  readonly text: string;
  readonly sub: string;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly conversation_id: string;
  readonly run_id: string | null;
  readonly ask_id: string | null;
}

/** `[set 1 · 7/9]` as people read it in a sentence. */
const tagText = (tag: string): string => tag.replace(/^\[|\]$/g, '');

function ofAsk(ask: AskRow, run: RunRow | undefined, conversation: ConversationRow | undefined): Need {
  const kind = ask.kind === 'question' ? strings.sidebar.question : strings.sidebar.permission;
  // The same words before and after the runs of its conversation are loaded.
  const chained = ask.chain.at(-1)?.words.replace(/^\[.+?\] /, '') ?? '';
  const where = run?.tag === undefined || run.tag === '' ? conversation?.title : tagText(run.tag);
  return {
    key: ask.ask_id,
    mark: ask.kind,
    text: visibleText(ask.kind === 'question' ? ask.title : (run?.label ?? (chained || ask.title))),
    sub: visibleText([kind, where].filter((part) => part !== undefined).join(' · ')),
    since: ask.opened_at,
    conversation_id: ask.conversation_id,
    run_id: ask.run_id,
    ask_id: ask.ask_id,
  };
}

function ofRun(run: RunRow): Need {
  return {
    key: run.run_id,
    mark: markOf(run),
    text: visibleText(run.label ?? run.goal.split('\n', 1)[0] ?? ''),
    sub: [strings.sidebar.failed, tagText(run.tag)].filter((part) => part !== '').join(' · '),
    since: run.ended_at ?? run.queued_at,
    conversation_id: run.conversation_id,
    run_id: run.run_id,
    ask_id: null,
  };
}

/** `known`: those failures of it that are loaded. */
function ofConversation(row: ConversationRow, known: readonly RunRow[]): Need {
  const times = known.flatMap(({ ended_at }) => ended_at ?? []);
  return {
    key: `failures ${row.conversation_id}`,
    mark: 'failed',
    text: strings.sidebar.failures(row.unseen_failures),
    sub: visibleText([strings.sidebar.failed, row.title].join(' · ')),
    since: times.length > 0 ? Math.max(...times) : (row.failed_at ?? row.updated_at),
    conversation_id: row.conversation_id,
    run_id: null,
    ask_id: null,
  };
}

/** Failures of one conversation that are listed one by one; more are one entry. */
const ONE_BY_ONE = 3;

/**
 * What needs a person: open permissions and questions, oldest first, then failures nobody has seen. Of a conversation
 * whose runs are not loaded only the number of its failures is known.
 */
export function needsYou(
  asks: readonly AskRow[],
  conversations: ReadonlyMap<string, ConversationRow>,
  runs: ReadonlyMap<string, RunRow>,
): readonly Need[] {
  const failed = Map.groupBy(
    [...runs.values()].filter(
      (run) => MARK_FACTS[markOf(run)].broken && !run.seen && run.retried_by === null && run.continued_by === null,
    ),
    (run) => run.conversation_id,
  );
  const failures = [...conversations.values()].flatMap((row) => {
    if (row.unseen_failures === 0) return [];
    const known = failed.get(row.conversation_id) ?? [];
    return known.length > 0 && known.length <= ONE_BY_ONE ? known.map(ofRun) : [ofConversation(row, known)];
  });
  return [
    ...asks.map((ask) => ofAsk(ask, runs.get(ask.run_id), conversations.get(ask.conversation_id))),
    ...failures.sort((a, b) => a.since - b.since),
  ];
}

/** Conversations whose title holds every word of the query, whatever its case. */
export function matching(rows: readonly ConversationRow[], query: string): readonly ConversationRow[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const title = row.title.toLocaleLowerCase();
    return words.every((word) => title.includes(word));
  });
}
