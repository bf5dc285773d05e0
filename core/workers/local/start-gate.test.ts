import { expect, test } from 'vitest';
import { StartGate } from './start-gate.ts';

const never = new AbortController().signal;

test('R1: as many enter as there are places; who leaves lets the next in, in order', async () => {
  const gate = new StartGate(2);
  const entered: string[] = [];
  const enter = (name: string): Promise<void> => gate.enter(never).then(() => void entered.push(name));
  const leave = await gate.enter(never);
  await enter('a');
  const waiting = [enter('b'), enter('c')];
  await Promise.resolve();
  expect(entered).toEqual(['a']);
  leave?.();
  leave?.();
  await waiting[0];
  expect(entered).toEqual(['a', 'b']);
  expect(gate.busy).toBe(3);
});

test('who is told to stop leaves the queue with nothing, and takes no place', async () => {
  const gate = new StartGate(1);
  const leave = await gate.enter(never);
  const stop = new AbortController();
  const gone = gate.enter(stop.signal);
  const last = gate.enter(never);
  stop.abort();
  expect(await gone).toBeNull();
  leave?.();
  expect(await last).toBeTypeOf('function');
  expect(await gate.enter(stop.signal)).toBeNull();
  expect(gate.busy).toBe(1);
});
