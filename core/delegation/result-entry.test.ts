import { describe, expect, test } from 'vitest';
import { ResultEntry } from '../protocol/result-entry.ts';
import type { Task } from '../protocol/batch.ts';
import type { RunReport } from '../protocol/report.ts';
import { DelegationWorld } from '../testing/delegation.ts';

function entryOf(task: Partial<Task>, report: Partial<RunReport>): ResultEntry {
  const world = new DelegationWorld();
  const [run = ''] = world.dispatch([task]).run_ids;
  world.begin();
  world.end(run, report);
  const result = world.tree.facts.get(run)?.result;
  if (!result) throw new Error('no result');
  return result;
}

const SCHEMA = { output_schema: { type: 'object' } };

describe('T6: the result entry', () => {
  test('it has the one shape, strictly, and only what there is to say', () => {
    const entry = entryOf({ label: 'Parser' }, {});
    expect(ResultEntry.parse(entry)).toEqual(entry);
    expect(Object.keys(entry).sort()).toEqual(
      [
        'agent',
        'cost_status',
        'cost_usd',
        'delegation_id',
        'duration_seconds',
        'exit_reason',
        'files_read',
        'files_written',
        'goal',
        'label',
        'model',
        'run_id',
        'status',
        'summary',
        'task_index',
        'tokens',
        'tool_calls',
        'transcript',
        'truncated',
        'turns',
      ].sort(),
    );
  });

  test('case 22: no schema asked → no schema key and no output, whatever the worker says', () => {
    const entry = entryOf({}, { schema: { valid: true, retries: 1, errors: ['x'] }, output: { a: 1 } });
    expect(Object.keys(entry).filter((key) => key.startsWith('schema') || key === 'output')).toEqual([]);
  });

  test('case 21: valid first → schema_valid and no retries', () => {
    const entry = entryOf(SCHEMA, { schema: { valid: true, retries: 0, errors: [] }, output: { a: 1 } });
    expect(entry).toMatchObject({ schema_valid: true, output: { a: 1 } });
    expect(entry).not.toHaveProperty('schema_retries');
    expect(entry).not.toHaveProperty('schema_errors');
  });

  test('case 21: invalid, then valid → one retry', () => {
    expect(entryOf(SCHEMA, { schema: { valid: true, retries: 1, errors: [] } })).toMatchObject({ schema_retries: 1 });
  });

  test('P8: still invalid → the errors, verbatim', () => {
    const errors = ['/a must be number'];
    expect(entryOf(SCHEMA, { schema: { valid: false, retries: 1, errors } })).toMatchObject({
      status: 'failed',
      failure_reason: 'schema',
      schema_valid: false,
      schema_errors: errors,
    });
  });

  test('C4: background processes and survivors are named', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.begin();
    world.report(run, { background: [{ pid: 5, command: 'sleep 1' }] });
    world.exit(run, { survivors: [{ pid: 6, command: 'daemon' }], proof: { method: 'survivors' } });
    expect(world.tree.facts.get(run)?.result).toMatchObject({
      background: [{ pid: 5, command: 'sleep 1' }],
      survivors: [{ pid: 6, command: 'daemon' }],
    });
  });

  test('C4: what a command of our own loop left running is named with them, once; not what is below a program of others, nor at a stop', () => {
    const left = [
      { pid: 5, command: 'sleep 1' },
      { pid: 7, command: 'npm run dev', started: '1' },
    ];
    const backgroundOf = (runner: 'builtin' | 'cli', cut_by: 'stop' | null): unknown => {
      const world = new DelegationWorld();
      const [run = ''] = world.dispatch(1).run_ids;
      world.tree.runs.set(run, { ...world.run(run), runner });
      world.begin();
      world.report(run, { cut_by, background: [{ pid: 5, command: 'sleep 1' }] });
      world.exit(run, { left });
      return world.tree.facts.get(run)?.result?.background;
    };
    const [told, found] = [
      { pid: 5, command: 'sleep 1' },
      { pid: 7, command: 'npm run dev' },
    ];
    expect(backgroundOf('builtin', null)).toEqual([told, found]);
    expect([backgroundOf('cli', null), backgroundOf('builtin', 'stop')]).toEqual([[told], [told]]);
  });

  test('a failure says what and why; a run without a report says what it had told', () => {
    expect(entryOf({}, { error: { reason: 'network', message: 'reset' }, answer: 'Half' })).toMatchObject({
      status: 'failed',
      error: 'reset',
      failure_reason: 'network',
      summary: 'Half',
      text_cut: true,
    });
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.begin();
    world.tell(run, {
      type: 'progress',
      progress: {
        turns: 3,
        tool_calls: 2,
        tokens: { input: 9, cached_input: 0, cache_write: 0, output: 1, reasoning: 0 },
        cost_usd: 0.5,
        cost_status: 'reported',
        active_seconds: 7,
      },
    });
    world.exit(run);
    expect(world.tree.facts.get(run)?.result).toMatchObject({
      turns: 3,
      cost_usd: 0.5,
      cost_status: 'reported',
      summary: '',
    });
  });

  test('case 20: row and result of an end say the same', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.begin();
    world.end(run, { limit: 'max_turns', answer: '' });
    const row = world.run(run);
    const result = world.tree.facts.get(run)?.result;
    expect(row).toMatchObject({
      outcome: result?.status,
      exit_reason: result?.exit_reason,
      failure_reason: result?.failure_reason,
      caveats: ['truncated'],
      error: result?.error,
      words: 'Failed: turn limit reached',
      advice: 'raise limits.max_turns',
    });
    expect(row.failure_line).toContain(row.failure_text);
    expect(row.failure_line).toContain('raise limits.max_turns');
  });
});
