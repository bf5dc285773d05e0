import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { resultJsonSchema } from './result-schema.ts';
import { resultEntry, setResult, TOTALS } from './testing/rows.ts';

test('T6: the published schema is that of the code (vitest -u writes it)', async () => {
  const text = `${JSON.stringify(resultJsonSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../docs/schema/result.schema.json');
});

test('T6: the schema accepts what run and prompt print, and refuses an entry with an unknown member', () => {
  const validate = new Ajv2020({ strict: false }).compile(resultJsonSchema());
  const entry = resultEntry({ delegation_id: null, task_index: null });
  expect(validate(setResult())).toBe(true);
  expect(validate({ conversation_id: 'c', run_id: 'r', status: 'completed', result: entry, totals: TOTALS })).toBe(
    true,
  );
  expect(validate(setResult({ results: [{ ...resultEntry(), extra: 1 } as never] }))).toBe(false);
  expect(validate({ ...setResult(), status: 'fine' })).toBe(false);
});
