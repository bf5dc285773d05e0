import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_UNACKNOWLEDGED_BYTES, type FeedMessage, type Scope } from '../../protocol/feed.ts';
import type { RunRow, SetRow } from '../../protocol/rows.ts';
import {
  APP,
  CONVERSATION,
  TRANSCRIPT,
  runRow,
  entry,
  routed,
  ofRun,
  ofEntry,
  Server,
  connected,
} from '../../testing/feed-lab.ts';

describe('a subscription begins', () => {
  test('with hello and a snapshot for each scope, at the revision of now', async () => {
    const server = new Server();
    server.put(runRow('run_1'));
    const { client } = await connected(server, [APP, CONVERSATION]);
    expect(client.messages.map(({ type }) => type)).toEqual(['hello', 'snapshot', 'snapshot']);
    expect(client.messages.map(({ rev }) => rev)).toEqual([1, 1, 1]);
    expect(client.runs.has('run_1')).toBe(true);
  });

  test('and counts, also whether a person can answer (A1)', async () => {
    const { hub } = new Server();
    const told: boolean[] = [];
    hub.onCanAnswerChange((can) => told.push(can));
    const tool = hub.subscribe({ client: 'cli', can_answer: false, scopes: [] });
    const desktop = hub.subscribe({ client: 'desktop', can_answer: true, scopes: [] });
    expect([hub.subscriptions, hub.canAnswer]).toEqual([2, true]);
    await desktop.return(undefined);
    expect([hub.subscriptions, hub.canAnswer]).toEqual([1, false]);
    await tool.return(undefined);
    expect([hub.subscriptions, told]).toEqual([0, [true, false]]);
  });

  test('and ends while a next waits, by the signal', async () => {
    const { hub } = new Server();
    const leaving = new AbortController();
    const feed = hub.subscribe({ client: 'cli', can_answer: true, scopes: [] }, leaving.signal);
    await feed.next();
    const waiting = feed.next();
    leaving.abort();
    expect(await waiting).toEqual({ value: undefined, done: true });
    expect(hub.subscriptions).toBe(0);
  });

  test('a snapshot that cannot be made ends the feed with its error', async () => {
    const server = new Server();
    server.snapshot = () => Promise.reject(new Error('no'));
    const feed = server.hub.subscribe({ client: 'cli', can_answer: false, scopes: [APP] });
    await feed.next();
    await expect(feed.next()).rejects.toThrow('no');
    expect(server.hub.subscriptions).toBe(0);
  });
});

describe('changes go to who asked for their scope', () => {
  const kinds = (message: FeedMessage | undefined): string[] =>
    message?.type === 'changes' ? message.changes.map(({ type }) => type) : [];

  const everything = [
    routed({ type: 'app', row: {} as never }),
    routed({ type: 'conversation', row: { conversation_id: 'conv_1' } as never }),
    routed({ type: 'set', row: { delegation_id: 'deleg_1' } as SetRow }),
    ofRun(runRow('run_1')),
    routed({ type: 'ask', row: { ask_id: 'ask_1' } as never }, 'run_1'),
    routed({ type: 'steer', row: { steer_id: 'steer_1' } as never }, 'run_1'),
    ofEntry(entry(0, 'text')),
    routed({ type: 'entry_meta', run_id: 'run_1', entry: 1, meta: { type: 'text', partial: true } }, 'run_1'),
  ];

  test.each<[string, Scope, string[]]>([
    ['app', APP, ['app', 'conversation', 'ask']],
    ['conversation', CONVERSATION, ['conversation', 'set', 'run', 'ask', 'steer']],
    ['another conversation', { type: 'conversation', conversation_id: 'conv_2' }, []],
    ['transcript', TRANSCRIPT, ['run', 'steer', 'entry', 'entry_meta']],
    ['another transcript', { type: 'transcript', run_id: 'run_2' }, []],
  ])('scope %s', async (_, scope, expected) => {
    const server = new Server();
    const { client, drain } = await connected(server, [scope]);
    server.hub.publish(everything);
    await drain.now();
    expect(kinds(client.messages[2])).toEqual(expected);
  });

  test('the app scope is told of a run from when it needs attention until it does no more', async () => {
    const server = new Server();
    const { client, drain } = await connected(server, [APP]);
    const states: Partial<RunRow>[] = [
      { state: 'running' },
      { state: 'waiting', reason: 'permission' },
      { state: 'running' },
      { state: 'running', activity: 'again' },
      { state: 'ended', failure_line: 'x — failed' },
      { state: 'ended', failure_line: 'x — failed', seen: true },
      { state: 'ended', failure_line: 'x — failed', seen: true, retried_by: 'run_2' },
    ];
    for (const state of states) {
      server.put(runRow('run_1', state));
      await drain.now();
    }
    expect(client.messages.filter(({ type }) => type === 'changes').map(({ rev }) => rev)).toEqual([2, 3, 5, 6]);
  });

  test('a failure of an earlier boot, known by the snapshot alone, is told when it is seen', async () => {
    const server = new Server();
    server.runs.set('run_1', runRow('run_1', { state: 'ended', failure_line: 'x' }));
    const { client, drain } = await connected(server, [APP]);
    server.put(runRow('run_1', { state: 'ended', failure_line: 'x', seen: true }));
    await drain.now();
    expect(client.runs.get('run_1')?.seen).toBe(true);
  });

  test('a removed conversation takes its waiting changes along', async () => {
    const server = new Server();
    const { client, drain } = await connected(server, [APP, CONVERSATION]);
    server.hub.publish([ofRun(runRow('run_1')), routed({ type: 'set', row: { delegation_id: 'd' } as SetRow })]);
    server.hub.publish([routed({ type: 'removed', what: 'conversation', id: 'conv_1' })]);
    await drain.now();
    const later = client.messages.slice(3);
    expect(later.flatMap(kinds).at(-1)).toBe('removed');
  });

  test('scopes change: a new one gets its snapshot, an old one falls silent', async () => {
    const server = new Server();
    server.append(0, 'a');
    const { client, drain } = await connected(server, [CONVERSATION]);
    expect(server.hub.setScopes(client.subscription, [TRANSCRIPT])).toBe(true);
    server.put(runRow('run_2'));
    await drain.now();
    expect(client.entries.get(0)?.text).toBe('a');
    expect(client.runs.has('run_2')).toBe(false);
    expect(server.hub.setScopes('sub_unknown', [])).toBe(false);
    expect(server.hub.ack('sub_unknown', 1)).toBe(false);
  });
});

describe('a client that does not acknowledge', () => {
  test('is told at most 256 kB; what waits is the latest state of each row', async () => {
    const server = new Server();
    const { client, drain } = await connected(server, [CONVERSATION, TRANSCRIPT]);
    for (let i = 0; i < 400; i += 1) {
      server.put(runRow(`run_${i}`, { goal: 'x'.repeat(1000) }));
      await drain.now(1);
    }
    await drain.now();
    expect(server.hub.heldBytes).toBeGreaterThan(MAX_UNACKNOWLEDGED_BYTES);
    const received = client.runs.size;
    expect(received).toBeLessThan(270);
    for (let i = 0; i < 50; i += 1) server.put(runRow('run_399', { turns: i }));
    server.append(0, 'one ');
    server.append(0, 'two ');
    server.append(0, 'three');
    server.end(0);
    server.hub.ack(client.subscription, client.rev);
    await drain.now();
    expect(client.runs.size).toBe(400);
    const tail = client.messages.flatMap((message) => (message.type === 'changes' ? message.changes : []));
    expect(tail.filter((change) => change.type === 'run' && change.row.run_id === 'run_399')).toHaveLength(1);
    expect(tail.filter((change) => change.type === 'entry' || change.type === 'delta')).toHaveLength(1);
    expect(client.entries.get(0)).toMatchObject({ text: 'one two three', ended: true });
    expect(server.snapshots).toBe(2);
  });

  test('a part of what waits does not acknowledge the rest', async () => {
    const server = new Server();
    const { client, drain, feed } = await connected(server, [CONVERSATION]);
    for (let i = 0; i < 200; i += 1) server.put(runRow(`run_${i}`, { goal: 'x'.repeat(1000) }));
    await drain.now();
    const parts = client.messages.filter(({ type }) => type === 'changes').map(({ rev }) => rev);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts[0]).toBeLessThan(200);
    expect(parts.at(-1)).toBe(200);
    await feed.return(undefined);
  });

  test('case 55: stops reading for 60 s during 5,000 events/s → memory bounded, a snapshot, and right again', async () => {
    const server = new Server();
    const { client, drain } = await connected(server, [APP, CONVERSATION, TRANSCRIPT]);
    const before = server.snapshots;
    let most = 0;
    let offset = 0;
    for (let ms = 0; ms < 60_000; ms += 100) {
      server.clock.time += 100;
      for (let i = 0; i < 250; i += 1) {
        server.runs.set(`run_${i % 997}`, runRow(`run_${i % 997}`, { turns: ms, goal: 'g'.repeat(300) }));
        const row = server.runs.get(`run_${i % 997}`);
        if (row !== undefined) server.hub.publish([ofRun(row)]);
        server.append(Math.floor(ms / 2000), `${(offset += 1)} `);
      }
      if (ms === 500) await drain.now();
      most = Math.max(most, server.hub.heldBytes);
    }
    // The client's own feed goes on, as oRPC pulls without end; it only gets nothing more.
    await drain.now();
    expect(most).toBeLessThan(2 * 1024 * 1024);
    expect(server.hub.heldBytes).toBeLessThan(MAX_UNACKNOWLEDGED_BYTES + 200_000);
    for (let i = 0; i < 20; i += 1) {
      server.hub.ack(client.subscription, client.rev);
      await drain.now();
    }
    expect(server.snapshots).toBeGreaterThan(before);
    expect(client.runs).toEqual(server.runs);
    expect(client.entries).toEqual(server.entries);
    server.append(99, 'and goes on');
    await drain.now();
    expect(client.entries.get(99)?.text).toBe('and goes on');
  }, 60_000);
});

test('random publishes, acknowledgements, pauses and scope changes → the client has what the server has', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('put' as const), run: fc.nat(8), size: fc.constantFrom(1, 2000, 60_000) }),
    fc.record({ do: fc.constant('append' as const), entry: fc.nat(4), size: fc.constantFrom(1, 500, 90_000) }),
    fc.record({ do: fc.constant('ack' as const) }),
    fc.record({ do: fc.constant('drain' as const), most: fc.nat(3) }),
    fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(10, 600, 5000) }),
    fc.record({ do: fc.constant('scopes' as const), transcript: fc.boolean() }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
      const server = new Server();
      const { client, drain } = await connected(server, [APP, CONVERSATION, TRANSCRIPT]);
      let n = 0;
      for (const one of steps) {
        n += 1;
        if (one.do === 'put') {
          const failure_line = n % 3 === 0 ? 'failed' : null;
          server.put(runRow(`run_${one.run}`, { turns: n, failure_line, goal: 'g'.repeat(one.size) }));
        } else if (one.do === 'append') server.append(one.entry, String(n % 10).repeat(one.size));
        else if (one.do === 'ack') server.hub.ack(client.subscription, client.rev);
        else if (one.do === 'drain') await drain.now(one.most);
        else if (one.do === 'wait') server.clock.time += one.ms;
        else {
          server.hub.setScopes(client.subscription, [APP, CONVERSATION, ...(one.transcript ? [TRANSCRIPT] : [])]);
        }
        expect(server.hub.heldBytes).toBeLessThan(3 * 1024 * 1024);
      }
      server.hub.setScopes(client.subscription, [APP, CONVERSATION, TRANSCRIPT]);
      for (let i = 0; i < 30; i += 1) {
        await drain.now();
        server.hub.ack(client.subscription, client.rev);
      }
      await drain.now();
      expect(client.runs).toEqual(server.runs);
      expect(client.entries).toEqual(server.entries);
    }),
    { numRuns: 150 },
  );
}, 60_000);
