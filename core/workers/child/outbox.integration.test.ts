import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WorkerEvent } from '../../protocol/frames.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { FrameReader } from '../wire/frame-codec.ts';
import { Outbox } from './outbox.ts';
import type { OutboxLimits, Room, Wire } from './outbox.ts';
import { Spool } from './spool.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-outbox-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const LIMITS: OutboxLimits = { memory: 1000, spool: 4000, reserve: 2000 };
const spoolFile = (): string => join(folder, 'spool.ndjson');

/** The core's end of a connection: takes frames in order, and is full after `room` of them until it is emptied. */
class Core implements Wire {
  readonly seqs: number[] = [];
  readonly texts: string[] = [];
  readonly #reader = new FrameReader();
  room = Number.POSITIVE_INFINITY;

  write(bytes: Uint8Array): boolean {
    this.#reader.push(Buffer.from(bytes));
    const frame = this.#reader.next();
    if (frame === null || typeof frame === 'string') throw new Error('not one whole frame');
    const { seq, event } = JSON.parse(frame.text) as { seq: number; event: { text: string } };
    this.seqs.push(seq);
    this.texts.push(event.text);
    this.room -= 1;
    return this.room > 0;
  }
}

function outbox(limits = LIMITS): { box: Outbox; rooms: Room[]; clock: ReturnType<typeof manualClock> } {
  const rooms: Room[] = [];
  const clock = manualClock();
  const box = new Outbox({ spool: new Spool(folder), clock, limits, onRoom: (room) => void rooms.push(room) });
  return { box, rooms, clock };
}

const event = (text: string): WorkerEvent => ({ type: 'activity', text });

test('D4: whatever the order of cuts, commits and full sockets: every event arrives, in order, without a gap', () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('push' as const), size: fc.integer({ min: 0, max: 400 }) }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('ack' as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('cut' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('connect' as const), room: fc.integer({ min: 1, max: 5 }) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('drain' as const), room: fc.integer({ min: 1, max: 5 }) }) },
  );
  let round = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
      round += 1;
      const place = join(folder, String(round));
      mkdirSync(place);
      const box = new Outbox({
        spool: new Spool(place),
        clock: manualClock(),
        limits: { memory: 500, spool: 1e9, reserve: 1e9 },
        onRoom: () => undefined,
      });
      let core: Core | null = null;
      let seen = 0;
      let committed = 0;
      let pushed = 0;
      const look = (): void => {
        for (const seq of core?.seqs.splice(0) ?? []) {
          if (seq > seen + 1) throw new Error(`a gap: ${seq} after ${seen}`);
          seen = Math.max(seen, seq);
        }
      };
      const connect = (room: number): void => {
        core = new Core();
        core.room = room;
        // A core that starts again knows only what it has committed.
        seen = committed;
        box.connect(core, committed);
      };
      for (const each of steps) {
        if (each.do === 'push') {
          pushed += 1;
          box.push(event(`${pushed} ${'x'.repeat(each.size)}`));
        } else if (each.do === 'ack' && core !== null) {
          committed += Math.floor((seen - committed) * each.share);
          box.ack(committed);
        } else if (each.do === 'cut' && core !== null) {
          core = null;
          box.disconnect();
        } else if (each.do === 'connect') {
          if (core !== null) box.disconnect();
          connect(each.room);
        } else if (each.do === 'drain' && core !== null) {
          (core as Core).room = each.room;
          box.drained();
        }
        look();
      }
      connect(Number.POSITIVE_INFINITY);
      look();
      expect(seen).toBe(pushed);
    }),
    { numRuns: 200 },
  );
});

test('while the core is there and keeps up, nothing but the mark that it has begun is on the disk', () => {
  const { box } = outbox();
  const core = new Core();
  box.connect(core, 0);
  for (let n = 1; n <= 100; n += 1) {
    box.push(event(`${n}`));
    box.ack(n);
  }
  expect(core.seqs).toHaveLength(100);
  expect(statSync(spoolFile()).size).toBe(0);
});

test('D5: while the core is away each event is in the spool as soon as it is told, with what was told before', () => {
  const { box } = outbox();
  box.connect(new Core(), 0);
  box.push(event('a'));
  box.push(event('b'));
  box.ack(1);
  box.disconnect();
  box.push(event('c'));
  const lines = readFileSync(spoolFile(), 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { type: 'event', seq: 2, event: { text: 'b' } },
    { type: 'event', seq: 3, event: { text: 'c' } },
  ]);
  expect(statSync(spoolFile()).mode & 0o777).toBe(0o600);
  const core = new Core();
  box.connect(core, 1);
  expect(core.texts).toEqual(['b', 'c']);
  box.ack(3);
  expect(statSync(spoolFile()).size).toBe(0);
});

test('a line of megabytes, and characters of every length, pass through the spool', () => {
  const { box } = outbox({ memory: 10, spool: 1e9, reserve: 1e9 });
  const texts = ['ä\u{1F600}\ud83d\n', 'y'.repeat(3_000_000), 'end'];
  for (const text of texts) box.push(event(text));
  const core = new Core();
  box.connect(core, 0);
  expect(core.texts).toEqual(texts);
});

test('at the limit of the spool there is no room until half of it is free; beyond the reserve the run is over', () => {
  const { box, rooms } = outbox();
  for (let n = 0; n < 12; n += 1) box.push(event('x'.repeat(400)));
  expect(rooms).toEqual(['full']);
  const core = new Core();
  box.connect(core, 0);
  box.ack(box.last);
  expect(rooms).toEqual(['full', 'free']);
  box.disconnect();
  for (let n = 0; n < 20; n += 1) box.push(event('x'.repeat(400)));
  expect(rooms).toEqual(['full', 'free', 'full', 'over']);
});

test('D7: a file or a link in the place of the spool is not written to; events stay in memory, and there is no room', () => {
  writeFileSync(join(folder, 'victim'), 'precious');
  symlinkSync(join(folder, 'victim'), spoolFile());
  const { box, rooms, clock } = outbox();
  box.push(event('a'));
  box.push(event('b'));
  expect(rooms).toEqual(['full']);
  expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('precious');
  const core = new Core();
  box.connect(core, 0);
  expect(core.texts).toEqual(['a', 'b']);
  rmSync(spoolFile());
  clock.advance(1000);
  expect(rooms).toEqual(['full', 'free']);
});

test('what is settled is what was told when it was asked', async () => {
  const { box } = outbox();
  box.push(event('a'));
  let settled = false;
  const waits = box.settled().then(() => {
    settled = true;
  });
  box.push(event('b'));
  await Promise.resolve();
  expect(settled).toBe(false);
  box.connect(new Core(), 0);
  box.ack(1);
  await waits;
  box.ack(2);
  await box.settled();
});
