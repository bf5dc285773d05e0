import type { WorkerEvent } from '../../protocol/frames.ts';
import type { AttemptRecord } from '../../registry/store/records.ts';
import type { Findings } from './findings.ts';
import { readJournal, type FrameJournal } from './frame-journal.ts';
import type { StoredEntry, StoredFacts, StoredProject } from './stored-facts.ts';

interface Told {
  meta: unknown;
  text: string;
  over: boolean;
}

/** Runs whose worker may have ended by force: by us, or by a stop that it did not heed in time (C3). */
interface Forced {
  readonly killed: ReadonlySet<string>;
  readonly stopped: ReadonlySet<string>;
}

/** Compares what the workers told with what is stored, frame by frame and entry by entry. */
export function checkTranscripts(
  project: Pick<StoredProject, 'attemptFolder'>,
  facts: StoredFacts,
  forced: Forced,
  findings: Findings,
): { readonly frames: number; readonly entries: number } {
  const first = firstEntries(facts);
  const stored = new Map(facts.entries.map((entry) => [`${entry.run_id}/${entry.entry}`, entry]));
  let frames = 0;
  for (const attempt of facts.attempts) {
    const journal = readJournal(project.attemptFolder(attempt.attempt_id));
    if (journal === null) continue;
    frames += journal.events.length;
    checkFrames(attempt, journal, isForced(attempt.run_id, journal, forced), findings);
    for (const [number, told] of fold(journal.events.slice(0, attempt.committed_seq))) {
      const key = `${attempt.run_id}/${(first.get(attempt.attempt_id) ?? 0) + number}`;
      compare(key, told, stored.get(key), findings);
      stored.delete(key);
    }
  }
  for (const key of stored.keys()) findings.add('entries doubled or changed', `${key} is stored and nobody told it`);
  return { frames, entries: facts.entries.length };
}

/** One that was stopped and had its last word ended by itself. */
function isForced(runId: string, { events }: FrameJournal, { killed, stopped }: Forced): boolean {
  return killed.has(runId) || (stopped.has(runId) && events.at(-1)?.type !== 'ended');
}

/** A worker that was killed took with it what was still in its own memory, and nothing else. */
function checkFrames(attempt: AttemptRecord, journal: FrameJournal, killed: boolean, findings: Findings): void {
  const { attempt_id, run_id, committed_seq } = attempt;
  const must = killed ? journal.left : journal.events.length;
  if (committed_seq > journal.events.length) {
    findings.add(
      'entries doubled or changed',
      `${run_id} ${attempt_id}: ${committed_seq} stored of ${journal.events.length}`,
    );
  }
  if (committed_seq >= must) return;
  const types = journal.events.slice(committed_seq, must).map(({ type }) => type);
  const words = `${run_id} ${attempt_id}: told ${must}, stored ${committed_seq}; missing ${types.slice(0, 8).join(' ')}`;
  findings.add('events told and not stored', words);
  if (types.some((type) => type === 'entry' || type === 'delta' || type === 'entry_end'))
    findings.add('entries lost', words);
}

function compare(key: string, told: Told, stored: StoredEntry | undefined, findings: Findings): void {
  if (stored === undefined) return findings.add('entries lost', `${key} is not stored`);
  if (stored.ended !== 1) findings.add('entries lost', `${key} is stored as still open`);
  if (stored.text !== told.text) {
    const shorter = told.text.startsWith(stored.text);
    const words = `${key}: ${stored.text.length} of ${told.text.length} characters`;
    findings.add(shorter ? 'entries lost' : 'entries doubled or changed', words);
  }
  if (stored.meta !== JSON.stringify(told.meta)) {
    findings.add('entries doubled or changed', `${key}: ${stored.meta} for ${JSON.stringify(told.meta)}`);
  }
}

/** The entries that a worker's events make, by its own numbers. */
function fold(events: readonly WorkerEvent[]): Map<number, Told> {
  const entries = new Map<number, Told>();
  for (const event of events) {
    if (event.type === 'entry') entries.set(event.entry, { meta: event.meta, text: event.text, over: false });
    if (event.type !== 'delta' && event.type !== 'entry_end' && event.type !== 'entry_meta') continue;
    const open = entries.get(event.entry);
    if (open === undefined || open.over) continue;
    if (event.type === 'delta') open.text += event.text;
    else open.meta = event.meta ?? open.meta;
    if (event.type === 'entry_end') Object.assign(open, { text: event.text ?? open.text, over: true });
  }
  return entries;
}

function firstEntries(facts: StoredFacts): Map<string, number> {
  return new Map(
    facts.events.flatMap((event) => (event.type === 'attempt_started' ? [[event.attempt_id, event.first_entry]] : [])),
  );
}
