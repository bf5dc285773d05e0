import type { Entry } from '../../../core/protocol/entry.ts';
import { PAGE, type Transcript } from '../../app/live-state.ts';
import { isReadOnlyCall } from './tool-look.ts';

/**
 * One row of the transcript. It names entries and holds none: what an entry says is read by the row itself, so that a
 * delta changes no item.
 */
export interface TranscriptItem {
  readonly type: 'entry' | 'reads' | 'output';
  readonly key: string;
  /** First and last entry of the row. */
  readonly first: number;
  readonly last: number;
}

export interface ItemList {
  readonly items: readonly TranscriptItem[];
  /** The earliest entry from which on everything has arrived. */
  readonly first: number;
}

const KINDS = { missing: 0, hidden: 1, reads: 2, output: 3, entry: 4 } as const;
type Kind = (typeof KINDS)[keyof typeof KINDS];
const TYPES = { 2: 'reads', 3: 'output', 4: 'entry' } as const;

/** How an entry takes part in the rows: reads and output gather, a message that came to nothing is not shown. */
function kindOf(entry: Entry | undefined): Kind {
  if (entry === undefined) return KINDS.missing;
  const { meta } = entry;
  if (meta.type === 'output') return KINDS.output;
  if (isReadOnlyCall(meta)) return KINDS.reads;
  if (meta.type === 'text' && entry.ended && !/\S/.test(entry.text)) return KINDS.hidden;
  return KINDS.entry;
}

type Page = readonly (Entry | undefined)[];

function kindsOf(page: Page | undefined, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, place) => kindOf(page?.[place]));
}

const same = (a: Uint8Array | undefined, b: Uint8Array): boolean =>
  a !== undefined && a.length === b.length && a.every((kind, place) => kind === b[place]);

function append(items: TranscriptItem[], entry: number, kind: Kind): void {
  if (kind === KINDS.hidden || kind === KINDS.missing) return;
  const type = TYPES[kind];
  const before = items.at(-1);
  if (type !== 'entry' && before?.type === type) {
    items[items.length - 1] = { ...before, last: entry };
    return;
  }
  items.push({ type, key: `${type === 'entry' ? 'e' : 'g'}${entry}`, first: entry, last: entry });
}

/** The earliest entry after the last gap. */
function firstOf(kinds: readonly Uint8Array[]): number {
  for (let place = kinds.length - 1; place >= 0; place -= 1) {
    const hole = kinds[place]?.lastIndexOf(KINDS.missing) ?? -1;
    if (hole !== -1) return place * PAGE + hole + 1;
  }
  return 0;
}

function build(kinds: readonly Uint8Array[], first: number, kept: readonly TranscriptItem[], from: number): ItemList {
  const items = [...kept];
  for (let place = Math.floor(from / PAGE); place < kinds.length; place += 1) {
    const page = kinds[place] ?? new Uint8Array();
    for (let at = Math.max(0, from - place * PAGE); at < page.length; at += 1) {
      append(items, place * PAGE + at, page[at] as Kind);
    }
  }
  return { items, first };
}

/** How many rows end before an entry. */
function countBefore(items: readonly TranscriptItem[], entry: number): number {
  return items.findLastIndex((item) => item.last < entry) + 1;
}

const NOTHING: ItemList = { items: [], first: 0 };

/**
 * A reader of the rows of one transcript. It answers the same list as before unless the rows changed, and builds only
 * what comes after the first page that did; so it can be the selector of a store that changes with every delta.
 */
export function itemReader(): (transcript: Transcript | undefined) => ItemList {
  let pages: readonly (Page | undefined)[] = [];
  let kinds: readonly Uint8Array[] = [];
  let list = NOTHING;

  const kindsNow = (transcript: Transcript): { readonly next: readonly Uint8Array[]; readonly changed: number } => {
    let changed = Number.POSITIVE_INFINITY;
    const next = Array.from({ length: Math.ceil(transcript.count / PAGE) }, (_, place) => {
      const length = Math.min(PAGE, transcript.count - place * PAGE);
      const before = kinds[place];
      if (before?.length === length && pages[place] === transcript.pages[place]) return before;
      const fresh = kindsOf(transcript.pages[place], length);
      if (before !== undefined && same(before, fresh)) return before;
      changed = Math.min(changed, place);
      return fresh;
    });
    return { next, changed: next.length < kinds.length ? 0 : changed };
  };

  return (transcript) => {
    if (transcript === undefined) return NOTHING;
    const { next, changed } = kindsNow(transcript);
    pages = transcript.pages;
    kinds = next;
    if (changed === Number.POSITIVE_INFINITY) return list;
    const first = firstOf(next);
    const kept = first === list.first ? list.items.slice(0, countBefore(list.items, changed * PAGE)) : [];
    // The last row that stays may go on into what comes after it.
    list = build(next, first, kept, (kept.at(-1)?.last ?? first - 1) + 1);
    return list;
  };
}

/** The place of the row that shows an entry; for one that is not shown, of the row before it. */
export function placeOf(items: readonly TranscriptItem[], entry: number): number {
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((items[middle]?.first ?? 0) <= entry) low = middle;
    else high = middle - 1;
  }
  return low;
}
