import { lstatSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { StepInput } from '../../../scripted-model/script-input.ts';
import { ModelLab } from '../../../testing/model-lab.ts';

const LONG = Array.from({ length: 10_000 }, (_, at) => `line ${at}`).join('\n');

const delegate = (goals: string[]): StepInput => ({
  tool_call: { name: 'delegate_task', arguments: { wait: true, tasks: goals.map((goal) => ({ goal })) } },
});

function isPrivateFile(path: string): boolean {
  const found = lstatSync(path);
  return found.isFile() && (found.mode & 0o777) === 0o600;
}

test('case 37: a summary of 100 k characters comes as head and tail with a path, and the file holds all', async () => {
  await using lab = await ModelLab.open([
    { name: 'child', match: { user: 'Child' }, turns: [{ text: LONG, chunk_size: 5000 }] },
    { name: 'lead', turns: [delegate(['Child that says much']), 'It said a lot.'] },
  ]);
  const lead = await lab.say('Have it look at everything');
  await lab.until(lead.run_id, 'waiting: user');
  const told = lab.lastTexts().find((text) => text.startsWith('tool:')) ?? '';
  const path = /the whole text is in (\S+) …\]/.exec(told)?.[1] ?? '';
  expect(path.startsWith(lab.lab.git.data)).toBe(true);
  expect(lab.lab.read(path)).toBe(LONG);
  expect(isPrivateFile(path)).toBe(true);
  expect(told).toContain('line 0\nline 1\n');
  expect(told).toContain('line 9999');
  expect(told.length).toBeLessThan(26_000);
  const set = await lab.dispatch([{ goal: 'Child of a person' }]);
  const result = await lab.lab.result(set);
  expect(result).toMatchObject({ summary_truncated: true });
  expect(result.summary.length).toBeLessThanOrEqual(24_000);
  expect(lab.lab.read(result.summary_path ?? '')).toBe(LONG);
});
