import { describe, expect, test } from 'vitest';
import type { Verdict } from '../protocol/outcome.ts';
import { ProviderFailure } from '../protocol/outcome.ts';
import { NOTHING_ELSE } from '../protocol/bare-report.ts';
import type { RunReport } from '../protocol/report.ts';
import { NO_TOKENS } from '../protocol/token-sums.ts';
import { decideVerdict, type EndFacts, type NeverStarted } from './verdict.ts';

const CLEAN_REPORT: RunReport = {
  progress: { turns: 2, tool_calls: 1, tokens: NO_TOKENS, cost_usd: 0, cost_status: 'estimated', active_seconds: 1 },
  answer: 'Here it is.',
  ...NOTHING_ELSE,
};

type Change = Partial<Omit<EndFacts, 'report'>> & { report?: Partial<RunReport> | null };

function facts({ report = {}, ...change }: Change): EndFacts {
  return {
    stopped: false,
    neverStarted: null,
    deadline: null,
    stalled: null,
    death: null,
    schemaAsked: false,
    answerNeeded: true,
    report: report === null ? null : { ...CLEAN_REPORT, ...report },
    ...change,
  };
}

const verdict = (change: Change): Verdict => decideVerdict(facts(change));

/** `failed error schema`: outcome, exit reason, failure reason, and `truncated`. */
function words({ outcome, exit_reason, failure_reason, truncated }: Verdict): string {
  return [outcome, exit_reason, failure_reason, truncated ? 'truncated' : null]
    .filter((word) => word !== null)
    .join(' ');
}

const VALID = { valid: true, retries: 0, errors: [] };
const INVALID = { valid: false, retries: 1, errors: ['/a must be a number'] };
const never = (kind: NeverStarted['kind'], failure_reason: NeverStarted['failure_reason'] = null): Change => ({
  report: null,
  neverStarted: { kind, failure_reason, message: 'why' },
});
const EMPTY = { answer: ' \n\t' };
const LIMITS = ['max_turns', 'max_tool_calls', 'max_tokens', 'budget'] as const;

/** The whole table of T2, row by row. */
const TABLE: [what: string, change: Change, expected: string][] = [
  ['finished, with an answer', {}, 'completed done'],
  [
    'finished, a schema-valid output with empty text (case 16)',
    { schemaAsked: true, report: { ...EMPTY, schema: VALID, output: {} } },
    'completed done',
  ],
  ...LIMITS.flatMap((limit): [string, Change, string][] => [
    [`limit ${limit}, with an answer (case 15)`, { report: { limit } }, `completed ${limit} truncated`],
    [
      `limit ${limit}, with a valid output`,
      { schemaAsked: true, report: { ...EMPTY, limit, schema: VALID } },
      `completed ${limit} truncated`,
    ],
    [
      `limit ${limit}, without an answer (case 15)`,
      { report: { limit, ...EMPTY } },
      `failed ${limit} empty_answer truncated`,
    ],
    [
      `limit ${limit} before any output of the schema`,
      { schemaAsked: true, report: { limit } },
      `failed ${limit} empty_answer truncated`,
    ],
  ]),
  ['empty answer (case 16)', { report: { answer: '' } }, 'failed error empty_answer'],
  ['white space as answer (case 16)', { report: EMPTY }, 'failed error empty_answer'],
  [
    'command: exit 0 without output (case 17)',
    { answerNeeded: false, report: { answer: '', exit: { code: 0, signal: null } } },
    'completed done',
  ],
  [
    'command: exit 3 (case 17)',
    { answerNeeded: false, report: { exit: { code: 3, signal: null } } },
    'failed error exit_status',
  ],
  [
    'command: killed by SIGSEGV (case 17)',
    { answerNeeded: false, report: { exit: { code: null, signal: 'SIGSEGV' } } },
    'failed error exit_status',
  ],
  ['schema still invalid after the repair', { schemaAsked: true, report: { schema: INVALID } }, 'failed error schema'],
  ['schema asked, nothing given', { schemaAsked: true }, 'failed error schema'],
  ['last tool result an error (case 16)', { report: { answer: '', ended_on_tool_error: true } }, 'failed error tool'],
  ...ProviderFailure.options.map((reason): [string, Change, string] => [
    `provider error ${reason} beside good text (case 13)`,
    { report: { error: { reason, message: 'It said no' } } },
    `failed error ${reason}`,
  ]),
  [
    'process died (case 18)',
    { report: null, death: { proved: true, message: 'SIGKILL' } },
    'failed process_died process',
  ],
  ['never became ready', never('not_started', 'process'), 'failed not_started process'],
  ['agent not found', never('not_started', 'agent_not_found'), 'failed not_started agent_not_found'],
  ['no worktree', never('not_started', 'isolation'), 'failed not_started isolation'],
  ['refused at admission', never('refused', 'budget'), 'failed refused budget'],
  ['no progress', { report: { cut_by: 'stalled' } }, 'failed stalled stalled'],
  ['no progress, seen by the core', { report: null, stalled: '450 s' }, 'failed stalled stalled'],
  ['stopped by a person, parent or ancestor', { stopped: true, report: { cut_by: 'stop' } }, 'stopped stopped'],
  ['a dependency was not usable', never('dependency'), 'stopped dependency'],
  ['deadline passed', { report: { cut_by: 'deadline' } }, 'timed_out timeout'],
  ['deadline of the parent', { report: null, deadline: 'The deadline of run_1 passed.' }, 'timed_out timeout'],
  [
    'nobody can prove what happened (case 38)',
    { report: null, death: { proved: false, message: 'unseen' } },
    'lost unknown',
  ],
  ['our own fault', { report: { error: { reason: 'internal', message: 'bug' } } }, 'failed error internal'],
  ['no report and no death: our own fault', { report: null }, 'failed error internal'],
  ['ended by a signal of somebody else', { report: { cut_by: 'stop' } }, 'failed process_died process'],
];

describe('T2: the table of verdicts (case 20)', () => {
  test.each(TABLE)('%s', (_, change, expected) => {
    expect(words(verdict(change))).toBe(expected);
  });

  test('T2: every exit reason and every outcome is in the table', () => {
    const seen = TABLE.map(([, , expected]) => expected.split(' '));
    expect(new Set(seen.map(([outcome]) => outcome))).toEqual(
      new Set(['completed', 'failed', 'stopped', 'timed_out', 'lost']),
    );
    expect(new Set(seen.map(([, exit]) => exit)).size).toBe(14);
  });
});

/** T3, first match wins: each step beside everything that comes after it. */
const ORDER: [step: string, change: Change][] = [
  ['stopped stopped', { stopped: true }],
  ['failed refused budget', { neverStarted: { kind: 'refused', failure_reason: 'budget', message: 'full' } }],
  ['timed_out timeout', { deadline: 'The deadline passed.' }],
  ['failed stalled stalled', { stalled: 'No progress.' }],
  ['failed error auth', { report: { error: { reason: 'auth', message: '401' } } }],
  ['failed error schema', { schemaAsked: true, report: { schema: INVALID } }],
  ['failed max_turns empty_answer truncated', { report: { limit: 'max_turns' } }],
  ['failed error tool', { report: { ended_on_tool_error: true } }],
  ['failed error empty_answer', { report: EMPTY }],
];

describe('T3: the order, first match wins', () => {
  test.each(ORDER.map(([step], at): [string, number] => [step, at]))('%s', (step, at) => {
    const rest = ORDER.slice(at).map(([, change]) => change);
    const change = rest.reduceRight<Change>(
      (all, one) => ({ ...all, ...one, report: { ...(all.report ?? {}), ...(one.report ?? {}) } }),
      {},
    );
    expect(words(verdict(change))).toBe(step);
  });

  test('T3: an error or a death come before what is judged, a lost run too', () => {
    const death = { proved: false, message: 'unseen' };
    expect(words(verdict({ report: null, death, schemaAsked: true }))).toBe('lost unknown');
  });

  test('T3: with a valid output a failed last tool and an empty text do not count', () => {
    const report = { ...EMPTY, schema: VALID, ended_on_tool_error: true };
    expect(words(verdict({ schemaAsked: true, report }))).toBe('completed done');
  });

  test('T3: with a limit the last tool result does not count', () => {
    expect(words(verdict({ report: { limit: 'max_turns', ended_on_tool_error: true } }))).toBe(
      'completed max_turns truncated',
    );
  });

  test('case 13: an empty error beside good text is none; error text as answer stays a failure', () => {
    expect(words(verdict({ report: { error: { reason: 'internal', message: '  ' } } }))).toBe('completed done');
    const failed = verdict({ report: { answer: 'Error: no', error: { reason: 'bad_request', message: 'Error: no' } } });
    expect(failed).toMatchObject({ outcome: 'failed', failure_reason: 'bad_request', truncated: false });
  });

  test('case 17: stopped while failing → stopped wins', () => {
    const report = { exit: { code: 1, signal: null } };
    expect(words(verdict({ stopped: true, answerNeeded: false, report }))).toBe('stopped stopped');
  });
});

describe('T4: what marks an answer that was cut', () => {
  const cut = { answer: 'Half of it' };
  test.each<[string, Change, boolean]>([
    ['a stop', { stopped: true, report: cut }, true],
    ['a stop without text', { stopped: true, report: EMPTY }, false],
    ['a deadline (case 17)', { report: { ...cut, cut_by: 'deadline' } }, true],
    ['no progress', { report: { ...cut, cut_by: 'stalled' } }, true],
    ['an error', { report: { ...cut, error: { reason: 'network', message: 'reset' } } }, true],
    ['a limit', { report: { ...cut, limit: 'max_turns' } }, false],
    ['a schema that was missed', { schemaAsked: true, report: { ...cut, schema: INVALID } }, false],
    ['a failed last tool', { report: { ...cut, ended_on_tool_error: true } }, false],
    ['an exit status', { answerNeeded: false, report: { ...cut, exit: { code: 1, signal: null } } }, false],
    ['a clean end', {}, false],
  ])('%s', (_, change, expected) => {
    expect(verdict(change).text_cut).toBe(expected);
  });
});

describe('T2: the words of a failure', () => {
  test.each<[string, Change, string]>([
    [
      'a failed command: its last line (case 17)',
      { report: { answer: 'ok\nnpm ERR! 3\n \n', exit: { code: 3, signal: null } } },
      'exit 3: npm ERR! 3',
    ],
    ['a silent failed command', { report: { answer: '', exit: { code: 3, signal: null } } }, 'exit 3'],
    ['a killed command', { report: { answer: '', exit: { code: null, signal: 'SIGSEGV' } } }, 'killed by SIGSEGV'],
    [
      'the errors of the schema',
      { schemaAsked: true, report: { schema: INVALID } },
      'The output does not match the schema: /a must be a number',
    ],
    [
      'whose deadline it was (R7)',
      { report: null, deadline: 'The deadline of run_1 passed.' },
      'The deadline of run_1 passed.',
    ],
  ])('%s', (_, change, expected) => {
    expect(verdict({ answerNeeded: false, ...change }).error).toBe(expected);
  });
});

test('T3, R7: who reads that a run stalled is told what was last seen of it, once', () => {
  const error = { reason: 'network', message: 'connect ECONNREFUSED 127.0.0.1:9' } as const;
  const seen = (stalled: string | null) => verdict({ report: { cut_by: 'stalled', error }, stalled }).error;
  expect(seen('No progress for 450 s.')).toBe('No progress for 450 s. Last seen: connect ECONNREFUSED 127.0.0.1:9');
  expect(seen(null)).toBe('No progress. Last seen: connect ECONNREFUSED 127.0.0.1:9');
  expect(seen('Silent since "connect ECONNREFUSED 127.0.0.1:9".')).toBe(
    'Silent since "connect ECONNREFUSED 127.0.0.1:9".',
  );
  expect(verdict({ report: { cut_by: 'stalled' } }).error).toBe('No progress.');
});
