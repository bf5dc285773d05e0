import { describe, expect, it } from 'vitest';
import type { ResultEntry } from '../../../core/protocol/result-entry.ts';
import { NO_TOKENS } from '../../../core/protocol/token-sums.ts';
import { aRun } from '../../testing/fixtures.ts';
import { proofWords } from '../../shared/proof-words.ts';
import { jsonSize, jsonText } from './json-text.ts';
import { caveatWords, historyFacts, resultJson, resultMarkdown, schemaWords, usageFacts } from './result-words.ts';

const aResult = (part: Partial<ResultEntry> = {}): ResultEntry => ({
  delegation_id: 'deleg_1',
  run_id: 'run_1',
  task_index: 0,
  label: 'Port cookies',
  goal: 'Port the cookies\nall of them',
  agent: 'general',
  model: 'anthropic/sonnet',
  status: 'completed',
  exit_reason: 'done',
  truncated: false,
  summary: 'Done.',
  turns: 3,
  tool_calls: 0,
  duration_seconds: 41,
  tokens: { ...NO_TOKENS, input: 1200, output: 30 },
  cost_usd: 0.61,
  cost_status: 'estimated',
  files_read: [],
  files_written: [],
  transcript: 'run_1',
  ...part,
});

describe('result of a run (T4, T6)', () => {
  it('an unknown cost is said, never 0 (R5)', () => {
    expect(usageFacts(aResult({ cost_usd: null, cost_status: 'unknown' }))).toContainEqual({
      name: 'Cost',
      value: 'unknown',
    });
    expect(usageFacts(aResult())).toContainEqual({ name: 'Cost', value: '$0.61 (estimated)' });
    expect(usageFacts(aResult(), true)).toContainEqual({ name: 'Cost', value: '$0.61 (scripted)' });
    expect(usageFacts(aResult()).map(({ name }) => name)).not.toContain('Tool calls');
  });

  it('names every caveat', () => {
    expect(caveatWords(aResult())).toEqual([]);
    const all = aResult({
      truncated: true,
      text_cut: true,
      schema_valid: false,
      acceptance: { status: 'failed', commands: [] },
    });
    expect(caveatWords(all)).toHaveLength(4);
  });

  it('says how the output stands to its schema', () => {
    expect(schemaWords(aResult())).toBe('');
    expect(schemaWords(aResult({ schema_valid: true, schema_retries: 1 }))).toBe('fits the schema, after 1 repair');
  });

  it('copies as Markdown whose fence is longer than any in the output', () => {
    const text = resultMarkdown(aRun({ run_id: 'run_1', words: 'Completed' }), aResult({ output: { md: '```js' } }));
    expect(text).toContain('# Port cookies\n');
    expect(text).toContain('Completed · general · anthropic/sonnet');
    expect(text).toContain('````json\n');
    expect(text).toContain('## Answer\n\nDone.\n');
    expect(text).not.toContain('## What went wrong');
  });

  it('copies as JSON exactly what every surface gives', () => {
    expect(JSON.parse(resultJson(aResult()))).toEqual(aResult());
  });

  it('says attempts, retries and how the end was proved', () => {
    expect(historyFacts(aRun({ run_id: 'run_1' }))).toEqual([]);
    const run = aRun({
      run_id: 'run_1',
      attempts: 2,
      retry_of: 'run_0',
      proof: { method: 'unknown', reason: 'lost sight' },
    });
    expect(historyFacts(run).map(({ value }) => value)).toEqual(['2', 'run_0', 'lost sight']);
    expect(proofWords({ method: 'observed', how: 'session empty' })).toBe('session empty');
    expect(proofWords({ method: 'survivors' })).toBe('Still running');
  });

  it('values of the output read as themselves', () => {
    expect([jsonText('a "b"'), jsonText(''), jsonText(null), jsonText(1)]).toEqual(['a "b"', '""', 'null', '1']);
    expect([jsonSize([1]), jsonSize({ a: 1, b: 2 })]).toEqual(['1 item', '2 keys']);
  });
});
