import { assertNever } from '../../kit/assert-never.ts';
import type { Change } from '../../protocol/feed.ts';
import type { PublishedChange } from './routing.ts';

interface Item {
  /** Revision of the oldest change in it. */
  readonly firstRev: number;
  published: PublishedChange;
  /** One change; an open entry may have its text and its meta beside each other. */
  changes: readonly Change[];
  bytes: number;
}

/** Changes taken out together. */
export interface TakenChanges {
  readonly changes: Change[];
  readonly bytes: number;
  /** Every change up to this revision has been taken. */
  readonly rev: number;
}

/** What a change of a row weighs on the wire, roughly: characters of its JSON. */
function weigh(change: Change): number {
  if (change.type === 'delta') return change.text.length + 100;
  return JSON.stringify(change).length;
}

/** Changes with the same name replace or extend each other. */
function nameOf(change: Change): string {
  switch (change.type) {
    case 'app':
      return 'app';
    case 'project':
      return `project/${change.row.project_id}`;
    case 'conversation':
      return `conversation/${change.row.conversation_id}`;
    case 'set':
      return `set/${change.row.delegation_id}`;
    case 'run':
      return `run/${change.row.run_id}`;
    case 'ask':
      return `ask/${change.row.ask_id}`;
    case 'steer':
      return `steer/${change.row.steer_id}`;
    case 'entry':
      return `entry/${change.entry.run_id}/${change.entry.entry}`;
    case 'delta':
    case 'entry_meta':
    case 'entry_end':
      return `entry/${change.run_id}/${change.entry}`;
    case 'removed':
      return `removed/${change.what}/${change.id}`;
    default:
      return assertNever(change);
  }
}

/** `before` continued by text at `offset`, or null when there is a gap between them. */
function joined(before: string, start: number, offset: number, text: string): string | null {
  const at = offset - start;
  if (at < 0 || at > before.length) return null;
  return at + text.length <= before.length ? before : before.slice(0, at) + text;
}

/** The changes of one entry after one more; null when they cannot be one any more. */
function withEntryChange(before: readonly Change[], change: Change): readonly Change[] | null {
  if (change.type === 'delta') return withText(before, change);
  if (change.type !== 'entry_meta' && change.type !== 'entry_end') return [change];
  const first = before[0];
  if (first?.type !== 'entry') return [...before.filter(({ type }) => type !== change.type), change];
  const part = change.type === 'entry_meta' ? { meta: change.meta } : { ended: true };
  return [{ type: 'entry', entry: { ...first.entry, ...part } }];
}

function withText(before: readonly Change[], change: Extract<Change, { type: 'delta' }>): readonly Change[] | null {
  const first = before[0];
  if (first?.type === 'entry') {
    const text = joined(first.entry.text, 0, change.offset, change.text);
    return text === null ? null : [{ type: 'entry', entry: { ...first.entry, text } }];
  }
  const delta = before.find((one) => one.type === 'delta');
  if (delta === undefined) return [...before, change];
  const text = joined(delta.text, delta.offset, change.offset, change.text);
  return text === null ? null : before.map((one) => (one === delta ? { ...delta, text } : one));
}

/**
 * Changes that wait for one client, each row at most once in its latest state. A name keeps its first place in the
 * order: rows are whole, so their order among each other does not matter, and the oldest revision stays in front.
 */
export class PendingChanges {
  readonly #items = new Map<string, Item>();
  #bytes = 0;
  #lastRev = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#items.size === 0;
  }

  /** Bytes that the next take has at least; 0 when there is nothing. */
  get firstBytes(): number {
    for (const item of this.#items.values()) return item.bytes;
    return 0;
  }

  /** Whether an earlier state of the same thing waits here. */
  has(change: Change): boolean {
    return this.#items.has(nameOf(change));
  }

  /** Takes a change in. False when it does not join what is there (a gap in a text): only a snapshot helps. */
  add(published: PublishedChange, rev: number): boolean {
    const { change } = published.routed;
    if (change.type === 'removed') this.#dropRemoved(change.what, change.id);
    const name = nameOf(change);
    const known = this.#items.get(name);
    this.#lastRev = rev;
    if (known === undefined) {
      const bytes = weigh(change);
      this.#items.set(name, { firstRev: rev, published, changes: [change], bytes });
      this.#bytes += bytes;
      return true;
    }
    const changes = withEntryChange(known.changes, change);
    if (changes === null) return false;
    // An appended text is weighed by what it adds: the whole again for each piece would be quadratic.
    const bytes = change.type === 'delta' ? known.bytes + weigh(change) : weighAll(changes);
    this.#bytes += bytes - known.bytes;
    known.changes = changes;
    known.bytes = bytes;
    known.published = published;
    return true;
  }

  /** Changes of what is gone would bring it back. */
  #dropRemoved(what: 'project' | 'conversation', id: string): void {
    this.keep(({ routed }) => {
      if (routed.change.type === 'removed') return true;
      if (what === 'conversation') return routed.conversation_id !== id;
      return routed.change.type !== 'project' || routed.change.row.project_id !== id;
    });
  }

  /** Forgets what is not wanted any more. */
  keep(isWanted: (published: PublishedChange) => boolean): void {
    for (const [name, item] of this.#items) {
      if (isWanted(item.published)) continue;
      this.#items.delete(name);
      this.#bytes -= item.bytes;
    }
  }

  /** Takes out the oldest changes, up to `maxBytes` of them but at least one. */
  take(maxBytes: number): TakenChanges {
    const changes: Change[] = [];
    let bytes = 0;
    for (const [name, item] of this.#items) {
      if (changes.length > 0 && bytes + item.bytes > maxBytes) return { changes, bytes, rev: item.firstRev - 1 };
      changes.push(...item.changes);
      bytes += item.bytes;
      this.#items.delete(name);
      this.#bytes -= item.bytes;
    }
    return { changes, bytes, rev: this.#lastRev };
  }

  clear(): void {
    this.#items.clear();
    this.#bytes = 0;
  }
}

function weighAll(changes: readonly Change[]): number {
  return changes.reduce((sum, change) => sum + weigh(change), 0);
}
