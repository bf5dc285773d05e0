import { decideEnd } from '../delegation/decide-end.ts';
import { setStatus, totalsOf } from '../delegation/set-status.ts';
import { slotRuns } from '../delegation/tree.ts';
import { ProgressLines } from '../host/progress/progress-lines.ts';
import type { Task } from '../protocol/batch.ts';
import { ProviderFailure } from '../protocol/outcome.ts';
import type { RunReport } from '../protocol/report.ts';
import type { SetResult } from '../protocol/result-entry.ts';
import type { RunRow } from '../protocol/rows.ts';
import type { Closed, KnownEnd } from '../runs/closing.ts';
import type { NeverStarted } from '../runs/verdict.ts';
import { DelegationWorld } from './delegation.ts';

/** One way for a run to end. */
interface EndingCase {
  /** As T2 has it: outcome, exit reason, failure reason, and `truncated` or `acceptance_failed`. */
  readonly verdict: string;
  readonly task?: Partial<Task>;
  /** The worker's last word; null when there was none. */
  readonly report?: Partial<RunReport> | null;
  readonly known?: KnownEnd;
  readonly closed?: Closed;
}

const SCHEMA = { output_schema: { type: 'object' } };
const COMMAND = { agent: 'command' };
const VALID = { valid: true, retries: 0, errors: [] };
const VERIFY = { acceptance: { verify: [{ command: 'npm test', timeout_seconds: 60 }] } };
const LIMITS = ['max_turns', 'max_tool_calls', 'max_tokens', 'budget'] as const;

const never = (kind: NeverStarted['kind'], failure_reason: NeverStarted['failure_reason']): EndingCase['known'] => ({
  neverStarted: { kind, failure_reason, message: 'Why it never began' },
});
const verified = (status: 'passed' | 'failed'): Closed => ({
  acceptance: { status, commands: [{ command: 'npm test', exit_code: 1, seconds: 1, output: '' }] },
  worktree: null,
});
const exited = (code: number): Partial<RunReport> => ({ answer: '', exit: { code, signal: null } });

/** The whole table of T2, with the caveats of T4. */
const CASES: Readonly<Record<string, EndingCase>> = {
  'an answer': { verdict: 'completed done' },
  'a valid output with empty text': {
    verdict: 'completed done',
    task: SCHEMA,
    report: { answer: '', schema: VALID, output: {} },
  },
  ...Object.fromEntries(
    LIMITS.flatMap((limit): [string, EndingCase][] => [
      [`${limit} with an answer`, { verdict: `completed ${limit} truncated`, report: { limit } }],
      [
        `${limit} without an answer`,
        { verdict: `failed ${limit} empty_answer truncated`, report: { limit, answer: ' ' } },
      ],
    ]),
  ),
  'an empty answer': { verdict: 'failed error empty_answer', report: { answer: '\n' } },
  'a program with status 0': { verdict: 'completed done', task: COMMAND, report: exited(0) },
  'a program with status 3': { verdict: 'failed error exit_status', task: COMMAND, report: exited(3) },
  'an invalid output': {
    verdict: 'failed error schema',
    task: SCHEMA,
    report: { schema: { valid: false, retries: 1, errors: ['/a is missing'] } },
  },
  'a failed last call': { verdict: 'failed error tool', report: { answer: '', ended_on_tool_error: true } },
  ...Object.fromEntries(
    ProviderFailure.options.map((reason): [string, EndingCase] => [
      `${reason} beside good text`,
      { verdict: `failed error ${reason}`, report: { error: { reason, message: 'The provider said no' } } },
    ]),
  ),
  'a dead process': {
    verdict: 'failed process_died process',
    report: null,
    known: { death: { proved: true, message: 'SIGKILL' } },
  },
  'an agent not found': {
    verdict: 'failed not_started agent_not_found',
    report: null,
    known: never('not_started', 'agent_not_found'),
  },
  'no worktree': { verdict: 'failed not_started isolation', report: null, known: never('not_started', 'isolation') },
  'a refusal': { verdict: 'failed refused budget', report: null, known: never('refused', 'budget') },
  'no progress': { verdict: 'failed stalled stalled', known: { stalled: 'Nothing for 450 s' } },
  'a stop': { verdict: 'stopped stopped', known: { stopped: true } },
  'an unusable dependency': { verdict: 'stopped dependency', report: null, known: never('dependency', null) },
  'a deadline': { verdict: 'timed_out timeout', known: { deadline: 'The deadline of 60 s passed' } },
  'nobody knows': { verdict: 'lost unknown', report: null, known: { death: { proved: false, message: 'unseen' } } },
  'our own fault': { verdict: 'failed error internal', report: null },
  'a failed acceptance': {
    verdict: 'completed done acceptance_failed',
    task: VERIFY,
    closed: verified('failed'),
  },
  'a passed acceptance': { verdict: 'completed done', task: VERIFY, closed: verified('passed') },
};

/** What is shown of a run that ended in one way, everywhere. */
export interface ShownEnding {
  readonly how: string;
  readonly verdict: string;
  readonly row: RunRow;
  /** What `run --json` prints. */
  readonly json: SetResult;
  /** What the parent's tool call is answered. */
  readonly parentText: string;
  /** The last line on a terminal that is not advice. */
  readonly line: string;
}

/** Every ending of T2, each of the only task that a lead delegated and waits for. */
export function allEndings(): ShownEnding[] {
  return Object.entries(CASES).map(([how, ending]) => show(how, ending));
}

/** Lets the run of a set end so. */
function end(world: DelegationWorld, run: string, { report = {}, known = {}, closed }: EndingCase): void {
  if (known.neverStarted == null) world.begin();
  if (report !== null) world.report(run, report);
  world.decide((step) => decideEnd(step, run, known, null, closed));
}

function show(how: string, ending: EndingCase): ShownEnding {
  const world = new DelegationWorld();
  const lead = world.lead();
  world.begin();
  const setId = world.delegate(lead, 'call', [{ label: 'It', ...ending.task }]) ?? '';
  const [run = ''] = world.runsOf(setId);
  end(world, run, ending);
  const runs = slotRuns(world.tree, setId);
  const set = world.tree.sets.get(setId);
  if (set === undefined) throw new Error('no set');
  const lines = new ProgressLines().take({
    type: 'changes',
    rev: 1,
    changes: [
      { type: 'set', row: set },
      { type: 'run', row: world.run(run) },
    ],
  });
  return {
    how,
    verdict: ending.verdict,
    row: world.run(run),
    json: {
      conversation_id: set.conversation_id,
      delegation_id: setId,
      set: set.set,
      status: setStatus(runs),
      results: runs.flatMap(({ run_id }) => world.tree.facts.get(run_id)?.result ?? []),
      totals: totalsOf(world.tree, runs),
    },
    parentText: world.tree.calls.get(`${lead}/call`)?.answer?.text ?? '',
    line: lines.filter((line) => !line.startsWith('  ')).at(-1) ?? '',
  };
}
