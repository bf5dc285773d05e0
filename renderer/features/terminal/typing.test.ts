import { expect, test } from 'vitest';
import { stillSelected } from './terminals-store.ts';
import { typist } from './typing.ts';

const aTerminal = (terminal_id: string) => ({
  terminal_id,
  project_id: 'p',
  run_id: null,
  cwd: '/p',
  shell: '/bin/sh',
  alive: true,
  exit_code: null,
});

test('keys are sent in their order, one call at a time, and what was typed meanwhile goes together', async () => {
  const sent: string[] = [];
  const gates: (() => void)[] = [];
  const type = typist((data) => {
    sent.push(data);
    return new Promise<void>((resolve) => gates.push(resolve));
  });
  type('l');
  type('s');
  type('\r');
  expect(sent).toEqual(['l']);
  gates.shift()?.();
  await Promise.resolve();
  await Promise.resolve();
  expect(sent).toEqual(['l', 's\r']);
});

test('a large paste is cut for the calls, and after a failure the rest is dropped', async () => {
  const sent: number[] = [];
  const type = typist((data) => {
    sent.push(data.length);
    return sent.length === 2 ? Promise.reject(new Error('gone')) : Promise.resolve();
  });
  type('x'.repeat(200_000));
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toEqual([65_536, 65_536]);
  type('a');
  expect(sent).toEqual([65_536, 65_536, 1]);
});

test('the terminal that is shown stays while it is there; else the last one is', () => {
  const rows = [aTerminal('a'), aTerminal('b')];
  expect(stillSelected(rows, 'a')).toBe('a');
  expect(stillSelected(rows, 'gone')).toBe('b');
  expect(stillSelected([], 'a')).toBeNull();
});
