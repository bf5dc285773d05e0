import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { RunRow } from '../../../core/protocol/rows.ts';
import { aRun } from '../../testing/fixtures.ts';
import { RetryAtEnd, RunLinks } from './run-links.tsx';

const failed = (part: Partial<RunRow>): RunRow =>
  aRun({ run_id: 'run_a', state: 'ended', outcome: 'failed', failure_text: 'exit 3', advice: null, ...part });
const below = (part: Partial<RunRow>): string => renderToStaticMarkup(<RunLinks run={failed(part)} />);
const atEnd = (part: Partial<RunRow>): string => renderToStaticMarkup(<RetryAtEnd run={failed(part)} />);

test('the retry of a failure stands behind what to do about it', () => {
  expect(below({ advice: 'choose another model' })).toMatch(/choose another model.*Retry<\/button>/);
  expect(atEnd({ advice: 'choose another model' })).toBe('');
});

test('without advice the retry ends the line of the failure, and no line has it alone', () => {
  expect(below({})).toBe('');
  expect(atEnd({})).toContain('Retry</button>');
});

test('a failure that another run stands for has no retry', () => {
  for (const advice of [null, 'choose another model']) {
    const retried = { advice, retried_by: 'run_b' };
    expect(below(retried) + atEnd(retried)).not.toContain('Retry</button>');
  }
});
