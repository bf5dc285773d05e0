import { expect, test } from 'vitest';
import { closedGates, type GatedRun, type GateRows } from './pause.ts';

const run = (run_id: string, more: Partial<GatedRun> = {}): GatedRun => ({
  run_id,
  paused: false,
  delegation_id: 'deleg_1',
  parent_run_id: null,
  ...more,
});

function rows(closed: readonly string[]): GateRows {
  const runs = new Map([['run_1', run('run_1', { paused: closed.includes('run_1') })]]);
  return {
    app: closed.includes('app'),
    conversation: { conversation_id: 'conv_1', paused: closed.includes('conv_1') },
    set: (id) => ({ paused: closed.includes(id) }),
    run: (id) => runs.get(id),
  };
}

const child = (paused = false): GatedRun => run('run_2', { delegation_id: 'deleg_2', parent_run_id: 'run_1', paused });

test('R9: with all gates open nothing holds a run', () => {
  expect(closedGates(child(), rows([]))).toEqual([]);
});

test('R9: the gates around a run hold it, the nearest first', () => {
  const closed = rows(['app', 'conv_1', 'deleg_1', 'run_1', 'deleg_2']);
  expect(closedGates(child(true), closed).map(({ type, id }) => `${type} ${id}`)).toEqual([
    'run run_2',
    'set deleg_2',
    'run run_1',
    'set deleg_1',
    'conversation conv_1',
    'app null',
  ]);
});

test('R9: the gate of another set holds nobody else', () => {
  expect(closedGates(run('run_1'), rows(['deleg_2']))).toEqual([]);
});
