import type { ReadingClient } from '../../core/host/offline/offline-client.ts';
import type { ApiClient } from '../../core/host/serve/local-connection.ts';
import type { Entry } from '../../core/protocol/entry.ts';
import type { Change, FeedMessage } from '../../core/protocol/feed.ts';
import { isEnded } from '../../core/protocol/lifecycle.ts';
import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { Failure } from '../core/failure.ts';
import { follow } from '../core/follow.ts';
import { noteLeftAtWork } from '../core/left-at-work.ts';
import { askLines, asksBelow } from '../core/open-asks.ts';
import { isLost, LostLine } from '../core/lost-line.ts';
import { transcriptEntries } from '../core/transcript-pages.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { EntryText } from '../../core/host/export/transcript-text.ts';

/** `espalier tail`: the transcript of a run, with `--follow` until the run ends, or until nobody reads it any more. */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const [runId = ''] = args.positionals;
  const { cores, terminal } = context;
  const printer = new TranscriptPrinter(terminal, args.flag('json'));
  const joined = args.flag('follow') ? await cores.join() : null;
  if (joined !== null) {
    try {
      await followRun(joined.client, runId, printer, terminal);
      return EXIT.done;
    } catch (error) {
      // A core may go with the end of the last run: what is stored says whether that was so.
      if (!isLost(error)) throw error;
    } finally {
      await joined.close();
    }
  }
  // With no core up nothing grows: following is reading to the end.
  const reading = await cores.openReading();
  const { client, close } = reading;
  try {
    const { run: row } = await client.runs.show({ id: runId });
    await readAll(client, runId, printer, terminal);
    await printer.print(true);
    await noteAsks(client, runId, terminal);
    if (joined === null) noteLeftAtWork(terminal, reading, [row]);
    if (joined === null || isEnded(row.state)) return EXIT.done;
    throw new Failure(EXIT.environment, 'The core has gone; `espalier tail` again goes on with what is stored.');
  } finally {
    await close();
  }
}

async function readAll(
  client: ReadingClient,
  runId: string,
  printer: TranscriptPrinter,
  terminal: Terminal,
): Promise<void> {
  for await (const entry of transcriptEntries(client, runId, printer.next)) {
    printer.put(entry);
    await printer.print(false);
    if (terminal.isUnread) return;
  }
}

/** What the run waits for a person for; its transcript does not show it. */
async function noteAsks(client: ReadingClient, runId: string, terminal: Terminal): Promise<void> {
  for (const line of asksBelow(await client.asks.list(), [runId]).flatMap(askLines)) terminal.note(line);
}

/** Throws what says that the line is lost where the core goes before the end. */
async function followRun(
  client: ApiClient,
  runId: string,
  printer: TranscriptPrinter,
  terminal: Terminal,
): Promise<void> {
  const { run: row } = await client.runs.show({ id: runId });
  let ended = isEnded(row.state);
  await readAll(client, runId, printer, terminal);
  await noteAsks(client, runId, terminal);
  const stopListening = terminal.onInterrupt(() => process.exit(EXIT.interrupted));
  const end = ended
    ? 'done'
    : await follow({
        client,
        name: 'espalier tail',
        canAnswer: false,
        scopes: [{ type: 'transcript', run_id: runId }],
        onMessage: async (message) => {
          printer.take(message);
          await printer.print(false);
          if (printer.hasGap) await readAll(client, runId, printer, terminal);
          ended ||= hasEnded(message, runId);
          return ended || terminal.isUnread;
        },
      });
  stopListening();
  if (end === 'lost') throw new LostLine();
  await readAll(client, runId, printer, terminal);
  await printer.print(true);
}

function hasEnded(message: FeedMessage, runId: string): boolean {
  if (message.type === 'hello') return false;
  const rows =
    message.type === 'snapshot'
      ? message.snapshot.runs
      : message.changes.flatMap((change) => (change.type === 'run' ? [change.row] : []));
  return rows.some((row) => row.run_id === runId && isEnded(row.state));
}

/** Prints entries in the order of their numbers, each when it has ended; as text the first open one while it grows. */
class TranscriptPrinter {
  /** Number of the first entry that is not printed to its end. */
  next = 0;
  readonly #terminal: Terminal;
  readonly #json: boolean;
  readonly #text = new EntryText();
  readonly #entries = new Map<number, Entry>();

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal;
    this.#json = json;
  }

  /** Later entries have come without the next one. */
  get hasGap(): boolean {
    return this.#entries.size > 0 && !this.#entries.has(this.next);
  }

  put(entry: Entry): void {
    if (entry.entry >= this.next) this.#entries.set(entry.entry, entry);
  }

  /** Takes in what the feed says of the transcript. */
  take(message: FeedMessage): void {
    if (message.type === 'snapshot') for (const entry of message.snapshot.entries) this.put(entry);
    if (message.type === 'changes') for (const change of message.changes) this.#change(change);
  }

  #change(change: Change): void {
    if (change.type === 'entry') return this.put(change.entry);
    if (change.type !== 'delta' && change.type !== 'entry_meta' && change.type !== 'entry_end') return;
    const known = this.#entries.get(change.entry);
    if (known === undefined) return;
    if (change.type === 'entry_meta') this.put({ ...known, meta: change.meta });
    else if (change.type === 'entry_end') this.put({ ...known, ended: true });
    else if (change.offset <= known.text.length && change.offset + change.text.length > known.text.length) {
      this.put({ ...known, text: known.text.slice(0, change.offset) + change.text });
    }
  }

  /** Prints what is ready; `all` also what is still open. */
  async print(all: boolean): Promise<void> {
    for (let entry = this.#entries.get(this.next); entry !== undefined; entry = this.#entries.get(this.next)) {
      const isLast = entry.ended || all;
      const shown = this.#json ? '' : this.#text.take(entry, isLast);
      if (shown !== '') await this.#terminal.show(shown);
      if (!isLast) return;
      if (this.#json) await this.#terminal.out(`${JSON.stringify(entry)}\n`);
      this.#entries.delete(this.next);
      this.next += 1;
    }
  }
}
