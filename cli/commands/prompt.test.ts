import { describe, expect, test } from 'vitest';
import { PromptResult } from '../../core/protocol/result-entry.ts';
import type { Failure } from '../core/failure.ts';
import { givenArguments } from '../testing/fake-context.ts';
import { statusOf, world } from '../testing/command-world.ts';
import { resultEntry, runRow } from '../testing/rows.ts';
import * as prompt from './prompt.ts';

describe('espalier prompt', () => {
  const lead = { delegation_id: null, set: null, task_index: null, lead: true };
  const ended = { run: runRow(lead), result: resultEntry({ delegation_id: null, task_index: null }), steers: [] };

  test('prints the final text of one lead run', async () => {
    const { context, core, publish, seen, inputs } = world({
      'leads.send': () => ({ conversation_id: 'conv_1', run_id: 'run_1' }),
      'runs.show': () => ended,
    });
    const running = prompt.run(context, givenArguments(['Say hello']));
    await expect.poll(() => core.hub.subscriptions).toBe(1);
    publish({ type: 'run', row: runRow({ ...lead, state: 'ended', outcome: 'completed' }) });
    expect(await running).toBe(0);
    expect(seen.out).toBe('Hello.\n');
    expect(inputs('leads.send')).toMatchObject([{ text: 'Say hello', once: true, conversation_id: null }]);
  });

  test('--json prints one object of the contract; a caveat is status 1', async () => {
    const row = runRow({ ...lead, caveats: ['truncated'] });
    const { context, core, publish, seen } = world({
      'leads.send': () => ({ conversation_id: 'conv_1', run_id: 'run_1' }),
      'runs.show': () => ({ ...ended, run: row }),
    });
    const running = prompt.run(context, givenArguments(['Say hello'], { json: true }));
    await expect.poll(() => core.hub.subscriptions).toBe(1);
    publish({ type: 'run', row: runRow({ ...lead, state: 'ended' }) });
    expect(await running).toBe(1);
    expect(PromptResult.parse(JSON.parse(seen.out)).result.task_index).toBeNull();
  });

  test('P5: an answer that the result entry has cut is printed whole, from the transcript', async () => {
    const result = resultEntry({ summary: 'cut…', summary_truncated: true });
    const { context, core, publish, seen } = world({
      'leads.send': () => ({ conversation_id: 'conv_1', run_id: 'run_1' }),
      'runs.show': () => ({ run: runRow(lead), result, steers: [] }),
    });
    const running = prompt.run(context, givenArguments(['Say hello']));
    await expect.poll(() => core.hub.subscriptions).toBe(1);
    publish({ type: 'run', row: runRow({ ...lead, state: 'ended' }) });
    await running;
    expect(seen.out).toBe('two\n');
  });

  test('a blank prompt is a usage error', async () => {
    const { context } = world({}, { stdin: ' \n' });
    expect(await statusOf(prompt.run(context, givenArguments(['-'])))).toEqual([2, expect.stringContaining('blank')]);
  });

  test('S3: one that is no text is a usage error, and nothing is sent', async () => {
    const { context, inputs } = world({}, { stdin: 'Say\0hello' });
    expect(await statusOf(prompt.run(context, givenArguments(['-'])))).toEqual([2, expect.stringContaining('no text')]);
    expect(inputs('leads.send')).toEqual([]);
  });

  test('S1: one that is refused, or whose agent has no program here, starts nothing and attaches nothing; status 2, or 3', async () => {
    for (const [judged, status] of [
      [{ problem: 'It needs a model.' }, 2],
      [{ problem: null, no_agent: 'It needs a model.' }, 3],
    ] as const) {
      const { context, inputs, seen } = world({ 'leads.validate': () => judged });
      const failed = prompt.run(context, givenArguments(['Say hello'], { model: 'p/m' }));
      expect(await failed.catch(({ lines }: Failure) => lines)).toEqual([
        'Nothing was started:',
        '  It needs a model.',
      ]);
      expect(await failed.catch((failure: Failure) => failure.status)).toBe(status);
      const said = { project_id: null, folder: context.cwd, text: 'Say hello', options: { model: 'p/m' } };
      expect(inputs('leads.validate')).toEqual([said]);
      expect([inputs('projects.add'), inputs('leads.send'), seen.closed]).toEqual([[], [], 1]);
    }
  });
});
