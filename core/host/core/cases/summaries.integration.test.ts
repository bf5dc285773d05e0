import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { StepInput } from '../../../scripted-model/script-input.ts';
import { ModelLab } from '../../../testing/model-lab.ts';
import { until } from '../../../testing/process-trees.ts';

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

test('D6, P5: a text that cannot be written when its path is told is written as soon as it can be', async () => {
  await using lab = await ModelLab.open([{ name: 'child', turns: [{ text: LONG, chunk_size: 5000 }] }]);
  const folder = join(lab.lab.git.data, 'projects', await lab.lab.project(), 'summaries');
  mkdirSync(dirname(folder), { recursive: true });
  writeFileSync(folder, 'in the way');
  const { summary_path: path = '' } = await lab.lab.result(await lab.dispatch([{ goal: 'Say very much' }]));
  expect(path.startsWith(folder)).toBe(true);
  expect(lab.lab.read(path)).toBeNull();
  rmSync(folder);
  await until('the text', () => lab.lab.read(path) === LONG, 20_000);
  expect(isPrivateFile(path)).toBe(true);
});
