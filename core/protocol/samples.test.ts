import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Entry, EntryMeta } from './entry.ts';
import { DomainEvent, StoredEvent } from './events.ts';
import { WorkerEvent } from './frames.ts';
import { isLive, stateWords } from './lifecycle.ts';
import { RunRow } from './rows.ts';

const FOLDER = join(import.meta.dirname, 'samples');
const FILES = readdirSync(FOLDER);
const read = (file: string): unknown => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));

const EXPECTED = [
  ...DomainEvent.options.map(({ shape }) => `domain-event.${shape.type.value}.v${shape.v.value}.json`),
  ...WorkerEvent.options.map(({ shape }) => `worker-event.${shape.type.value}.json`),
  ...EntryMeta.options.map(({ shape }) => `entry-meta.${shape.type.value}.json`),
];

const SCHEMAS = { 'domain-event': DomainEvent, 'worker-event': WorkerEvent, 'entry-meta': EntryMeta } as const;

test('T7: every type and version that is stored or crosses versions has a sample', () => {
  expect(EXPECTED.filter((file) => !FILES.includes(file))).toEqual([]);
});

describe('T7: what was ever written decodes for ever, with every field', () => {
  test.each(FILES)('%s', (file) => {
    const [family = '', type = ''] = file.split('.');
    const sample = read(file);
    const decoded = SCHEMAS[family as keyof typeof SCHEMAS].parse(sample);
    expect(decoded).toEqual(sample);
    expect(decoded.type).toBe(type);
  });
});

describe('case 19: what a newer build has written', () => {
  const row = DomainEvent.parse(read('domain-event.run_queued.v1.json'));

  test('an event of an unknown type stays as it is (T7)', () => {
    const event = { type: 'run_teleported', v: 3, run_id: 'run_000000000001', to: 'the moon' };
    expect(StoredEvent.parse(event)).toEqual(event);
  });

  test('a known event with words that are not known here stays as it is (T7)', () => {
    const event = { ...(read('domain-event.run_moved.v1.json') as object), to: 'hibernating' };
    expect(DomainEvent.safeParse(event).success).toBe(false);
    expect(StoredEvent.parse(event)).toEqual(event);
  });

  test('a transcript entry of an unknown type stays as it is', () => {
    const meta = { type: 'hologram', depth: 3 };
    const entry = { run_id: 'run_000000000001', entry: 0, at: 1, meta, text: 'x', ended: true };
    expect(Entry.parse(entry)).toEqual(entry);
  });

  test('a run with an unknown state is shown as itself and never as running (T7)', () => {
    const run = row.type === 'run_queued' ? row.run : null;
    const newer = RunRow.parse({ ...run, state: 'hibernating', reason: 'winter', outcome: 'evaporated' });
    expect(newer).toMatchObject({ state: 'hibernating', outcome: 'evaporated' });
    expect(stateWords(newer.state, newer.reason)).toBe('hibernating');
    expect(isLive(newer.state)).toBe(false);
  });
});
