import { describe, expect, test } from 'vitest';
import type { Clock } from '../clock.ts';
import type { ProcessEntry, ProcessSource, SignalRequest } from './process-entry.ts';
import { ProcessScanner } from './process-scanner.ts';
import { endLeftovers, stopTree } from './stop-tree.ts';
import { trackTree } from './tree-tracker.ts';

const ROOT = { pid: 100, startTime: 't100' };

function entry(pid: number, ppid: number): ProcessEntry {
  return {
    pid,
    ppid,
    startTime: `t${pid}`,
    pgid: 100,
    session: 100,
    startedAt: pid,
    state: 'S',
    command: `program ${pid}`,
    commandLine: `program ${pid}`,
    terminal: false,
    marker: null,
  };
}

/** A machine in memory; `onSignal` changes it. */
function machine(running: ProcessEntry[], onSignal: (request: SignalRequest, box: Box) => void) {
  const box: Box = { running, vanished: [], listings: 0, signals: [], fail: false };
  const alive = (pid: number, startTime: string): boolean =>
    box.running.some((each) => each.pid === pid && each.startTime === startTime);
  const source: ProcessSource = {
    ownPid: 50,
    startedAt: () => null,
    proof: 'session+marker+descendants',
    list: () => {
      box.listings += 1;
      if (box.fail) return Promise.reject(new Error('no /proc'));
      return Promise.resolve({ entries: [...box.running], vanished: box.vanished.shift() ?? 0 });
    },
    identify: (pid) => Promise.resolve(box.running.find((each) => each.pid === pid) ?? null),
    living: (identities) => Promise.resolve(identities.filter(({ pid, startTime }) => alive(pid, startTime))),
    inspect: () => Promise.resolve(new Map()),
    signal: (request) => {
      box.signals.push(request.signal);
      onSignal(request, box);
      return Promise.resolve();
    },
  };
  return { source, box };
}

interface Box {
  running: ProcessEntry[];
  /** `vanished` of the coming listings. */
  vanished: number[];
  listings: number;
  signals: string[];
  fail: boolean;
}

/** Time that passes only by waiting. */
function waitingClock(): Clock {
  let time = 0;
  return {
    now: () => time,
    monotonic: () => time,
    after(ms, run) {
      if (ms >= 500) return () => undefined; // the scanner's own rhythm
      const timer = setImmediate(() => {
        time += ms;
        run();
      });
      return () => clearImmediate(timer);
    },
    every: () => () => undefined,
  };
}

function track(source: ProcessSource) {
  const clock = waitingClock();
  const scanner = new ProcessScanner({ source, clock });
  const evidence = { sealed: true };
  return { clock, tracker: trackTree({ scanner, root: ROOT, marker: 'run_1', leads: true, evidence }) };
}

const everything = (_: SignalRequest, box: Box): void => {
  box.running = [];
};

describe('the kill ladder (C3, C4)', () => {
  test('nothing runs → observed, nothing is signalled', async () => {
    const { source, box } = machine([], everything);
    const { clock, tracker } = track(source);
    const receipt = await stopTree(tracker, { graceMs: 1000, clock });
    expect(receipt).toEqual({
      ended: [],
      survivors: [],
      proof: { method: 'observed', how: 'session+marker+descendants' },
    });
    expect(box.signals).toEqual([]);
  });

  test('what withstands SIGKILL is named as a survivor, and the end is not called observed', async () => {
    const { source, box } = machine([entry(100, 50), entry(101, 100)], (_, each) => {
      each.running = each.running.filter(({ pid }) => pid === 101);
    });
    const { clock, tracker } = track(source);
    const receipt = await stopTree(tracker, { graceMs: 1000, clock });
    expect(receipt).toEqual({
      ended: [{ pid: 100, command: 'program 100' }],
      survivors: [{ pid: 101, command: 'program 101', started: 't101' }],
      proof: { method: 'survivors' },
    });
    expect(box.signals.slice(0, 2)).toEqual(['SIGTERM', 'SIGKILL']);
    expect(clock.monotonic()).toBeLessThan(6000);
  });

  test('what appears between SIGTERM and SIGKILL is ended and listed too', async () => {
    const { source } = machine([entry(100, 50)], (request, box) => {
      box.running = request.signal === 'SIGTERM' ? [entry(105, 1)] : [];
    });
    const { clock, tracker } = track(source);
    const receipt = await stopTree(tracker, { graceMs: 1000, clock });
    expect(receipt.ended.map(({ pid }) => pid)).toEqual([100, 105]);
    expect(receipt.proof.method).toBe('observed');
  });

  test('the polite request alone is enough → no signal', async () => {
    const { source, box } = machine([entry(100, 50)], everything);
    const { clock, tracker } = track(source);
    const polite = (): Promise<void> => {
      box.running = [];
      return Promise.resolve();
    };
    const receipt = await stopTree(tracker, { graceMs: 1000, clock, polite });
    expect(receipt.ended).toEqual([{ pid: 100, command: 'program 100' }]);
    expect(box.signals).toEqual([]);
  });

  test('a polite request that is never answered → SIGTERM within the grace', async () => {
    const { source, box } = machine([entry(100, 50)], everything);
    const { clock, tracker } = track(source);
    await stopTree(tracker, { graceMs: 1000, clock, polite: () => new Promise(() => undefined) });
    expect(box.signals).toEqual(['SIGTERM']);
    expect(clock.monotonic()).toBeLessThan(1000);
  });

  test('a polite request that is rejected → SIGTERM at once', async () => {
    const { source, box } = machine([entry(100, 50)], everything);
    const { clock, tracker } = track(source);
    await stopTree(tracker, { graceMs: 1000, clock, polite: () => Promise.reject(new Error('no connection')) });
    expect(box.signals).toEqual(['SIGTERM']);
    expect(clock.monotonic()).toBeLessThan(100);
  });

  test.each([
    ['before SIGTERM', 0],
    ['after it', 400],
  ])('C3: what is asked for at once %s does not wait for the rest of the grace', async (_, from) => {
    const { source, box } = machine([entry(100, 50)], (request, each) => {
      if (request.signal === 'SIGKILL') each.running = [];
    });
    const { clock, tracker } = track(source);
    const isUrgent = (): boolean => clock.monotonic() >= from;
    const polite = (): Promise<void> => (from === 0 ? new Promise(() => undefined) : Promise.resolve());
    await stopTree(tracker, { graceMs: 100_000, clock, polite, isUrgent });
    expect(box.signals).toEqual(['SIGTERM', 'SIGKILL']);
    expect(clock.monotonic()).toBeLessThan(from + 500);
  });

  test('an empty listing in which pids vanished is repeated before it is believed', async () => {
    const { source, box } = machine([], everything);
    box.vanished = [2, 0];
    const { clock, tracker } = track(source);
    expect((await stopTree(tracker, { graceMs: 1000, clock })).proof.method).toBe('observed');
    expect(box.listings).toBe(2);
  });

  test('processes that cannot be listed → unknown with the reason, and the root is still killed', async () => {
    const { source, box } = machine([entry(100, 50)], everything);
    box.fail = true;
    const { clock, tracker } = track(source);
    const { proof } = await stopTree(tracker, { graceMs: 1000, clock });
    expect(proof).toEqual({ method: 'unknown', reason: 'the processes could not be listed: no /proc' });
    expect(box.signals).toEqual(['SIGKILL']);
  });

  test('leftovers of a normal end are listed without the root', async () => {
    const { source } = machine([entry(101, 1)], everything);
    const { clock, tracker } = track(source);
    const receipt = await endLeftovers(tracker, { graceMs: 1000, clock });
    expect(receipt.background).toEqual([{ pid: 101, command: 'program 101' }]);
    expect(receipt.survivors).toEqual([]);
  });
});
