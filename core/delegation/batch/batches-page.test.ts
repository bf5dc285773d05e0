import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BATCH_MAXIMA, BatchInput, TaskInput, TreeLimits } from '../../protocol/batch.ts';
import { RunLimits } from '../../protocol/settings.ts';
import { parseBatch } from './parse-batch.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/batches.md'), 'utf8');

/** Names of the first column of the table below a line that begins so. */
function fieldsBelow(start: string): string[] {
  const lines = PAGE.split('\n');
  const from = lines.findIndex((line) => line.startsWith(start));
  const table = lines.slice(from).slice(lines.slice(from).findIndex((line) => line.startsWith('|')));
  const rows = table.slice(
    2,
    table.findIndex((line) => !line.startsWith('|')),
  );
  return rows.map((row) => /^\| `(\w+)` /.exec(row)?.[1] ?? row);
}

test('S2, S5: the page of batches names every field of the contract and no other', () => {
  expect(fieldsBelow('## Fields of the batch')).toEqual(Object.keys(BatchInput.shape));
  expect(fieldsBelow('## Fields of a task')).toEqual(Object.keys(TaskInput.shape));
  expect(fieldsBelow('| field of `limits`')).toEqual(Object.keys(RunLimits.shape));
  for (const name of Object.keys(TreeLimits.shape)) expect(PAGE).toContain(`\`${name}\``);
});

test('S5: the hard maxima on the page of batches are those that are held', () => {
  const { tasks, goalBytes, contextBytes, schemaBytes, batchBytes, concurrency, images, retries } = BATCH_MAXIMA;
  const kib = (bytes: number): string => `${(bytes / 1024).toLocaleString('en')} KiB`;
  for (const row of [
    `| tasks of a set | ${tasks.toLocaleString('en')} |`,
    `| goal | ${kib(goalBytes)} |`,
    `| context | ${kib(contextBytes)} |`,
    `| \`output_schema\` | ${kib(schemaBytes)} |`,
    `| the whole batch | ${batchBytes / 1024 / 1024} MiB |`,
    `1 to ${concurrency};`,
    `data URLs, at most ${images} |`,
    `after a failure, at most ${retries} |`,
  ]) {
    expect(PAGE).toContain(row);
  }
});

test('S2: the examples on the page of batches are read as the page says', () => {
  const examples = [...PAGE.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, name = '', text = '']) => {
    const parsed = parseBatch({ text, name: `x.${name === 'markdown' ? 'md' : name}` });
    return [name, parsed];
  });
  expect(examples).toMatchObject([
    ['json', { ok: true, value: { form: 'json' } }],
    ['yaml', { ok: true, value: { form: 'yaml' } }],
    ['markdown', { ok: true, value: { form: 'markdown', title: 'Small repairs', skipped: 1 } }],
    ['csv', { ok: true, value: { form: 'csv' } }],
  ]);
});
