import { describe, expect, test } from 'vitest';
import { givenArguments } from '../testing/fake-context.ts';
import { askRow } from '../testing/rows.ts';
import { following, over, world } from '../testing/run-world.ts';
import { run } from './run.ts';

describe('A2: permissions at the terminal', () => {
  test('are asked one after the other and answered with a letter; other keys are asked again', async () => {
    const typed = ['x', 'r', 'D'];
    const { context, core, publish, calls, seen } = world(
      { 'asks.answer': (input: { ask_id: string }) => askRow({ ask_id: input.ask_id, state: 'answered' }) },
      { interactive: true, typed },
    );
    const running = run(context, givenArguments(['b.json']));
    await following(core);
    expect(core.hub.canAnswer).toBe(true);
    const second = askRow({ ask_id: 'ask_2', title: 'Edit a.ts', diff: '-old\n+new\u001b[2J' });
    publish({ type: 'ask', row: askRow() }, { type: 'ask', row: second });
    await expect.poll(() => calls('asks.answer')).toHaveLength(2);
    expect(calls('asks.answer').map(({ input }) => input)).toEqual([
      { ask_id: 'ask_1', choice: 'run', note: null, client: 'espalier run' },
      { ask_id: 'ask_2', choice: 'deny', note: null, client: 'espalier run' },
    ]);
    expect(seen.notes).toContain('  rm -rf build');
    expect(seen.notes.join('\n')).toContain('+new');
    expect(seen.notes.join('\n')).not.toContain('\u001b');
    publish(over('completed'));
    expect(await running).toBe(0);
  });

  test('case 52: one answered elsewhere is not asked any more; a question takes text', async () => {
    const typed: string[] = [];
    const { context, core, publish, calls, seen } = world(
      { 'asks.answer': () => askRow({ state: 'answered' }) },
      { interactive: true, typed },
    );
    const running = run(context, givenArguments(['b.json']));
    await following(core);
    publish({ type: 'ask', row: askRow() });
    await expect.poll(() => seen.questions).toHaveLength(1);
    typed.push('  ', 'Use tabs');
    publish(
      { type: 'ask', row: askRow({ state: 'answered', answered_by: 'desktop' }) },
      { type: 'ask', row: askRow({ ask_id: 'ask_2', kind: 'question', title: 'Tabs or spaces?' }) },
    );
    await expect.poll(() => calls('asks.answer')).toHaveLength(1);
    expect(calls('asks.answer')[0]?.input).toMatchObject({ ask_id: 'ask_2', choice: 'text', note: 'Use tabs' });
    expect(seen.notes.join('\n')).toContain('Answered by desktop.');
    publish(over('completed'));
    await running;
  });

  test('without a terminal nothing is asked, and the core is told that nobody can answer (A1)', async () => {
    const { context, core, publish, seen } = world();
    const running = run(context, givenArguments(['b.json']));
    await following(core);
    expect(core.hub.canAnswer).toBe(false);
    const denied = { state: 'answered' as const, choice: 'deny', answered_by: 'nobody' };
    publish({ type: 'ask', row: askRow() }, { type: 'ask', row: askRow(denied) });
    publish({ type: 'ask', row: askRow({ ...denied, ask_id: 'ask_2', title: 'Write a.ts', detail: 'a.ts' }) });
    publish(over('completed'));
    await running;
    expect(seen.questions).toEqual([]);
    expect(seen.notes.filter((note) => note.includes('denied'))).toEqual([
      '✗ denied, nobody can be asked here: Run a command: rm -rf build. A wider --permission allows such beforehand.',
      '✗ denied, nobody can be asked here: Write a.ts.',
    ]);
  });
});
