import type { ResultEntry } from '../../../../core/protocol/result-entry.ts';
import type { RunRow } from '../../../../core/protocol/rows.ts';
import { totalTokens } from '../../../../core/protocol/token-sums.ts';
import { formatCount, formatDuration, formatMoney, formatTokens } from '../../../shared/format.ts';
import { activeSeconds } from '../../../../core/protocol/active-time.ts';
import { viewStrings } from '../../../shared/view-strings.ts';
import { visibleText } from '../../../shared/visible-text.ts';

const words = viewStrings.compare;

/** A line of the comparison: what it is of, both sides, and how much more or less `b` has. */
export interface Fact {
  readonly id: string;
  readonly name: string;
  readonly a: string;
  readonly b: string;
  /** `+3`, `−12s`, `×2.0`; empty where there is nothing to subtract, or no difference. */
  readonly difference: string;
}

type Value = number | null;

function signed(difference: number, format: (value: number) => string): string {
  if (difference === 0) return '';
  const text = format(Math.abs(difference));
  return `${difference > 0 ? '+' : '−'}${text}`;
}

function numeric(id: string, name: string, a: Value, b: Value, format: (value: number) => string): Fact {
  const shown = (value: Value): string => (value === null ? words.unknown : format(value));
  return {
    id,
    name,
    a: shown(a),
    b: shown(b),
    difference: a === null || b === null || format(a) === format(b) ? '' : signed(b - a, format),
  };
}

const wallSeconds = (run: RunRow, now: number): Value =>
  run.started_at === null ? null : ((run.ended_at ?? now) - run.started_at) / 1000;

/** Times are compared as they are shown: what reads 1s and 0s differs by 1s, not by the 0s that lie between. */
const wholeSeconds = (seconds: Value): Value => (seconds === null ? null : Math.floor(seconds));

/** What two runs are compared by. `scripted`: no model answered, and nothing was spent. */
export function compareFacts(a: RunRow, b: RunRow, now: number, scripted = false): readonly Fact[] {
  const { facts } = words;
  const text = (id: string, name: string, of: (run: RunRow) => string): Fact => ({
    id,
    name,
    a: of(a),
    b: of(b),
    difference: '',
  });
  const number = (id: string, name: string, of: (run: RunRow) => Value, format: (value: number) => string): Fact =>
    numeric(id, name, of(a), of(b), format);
  return [
    text('agent', facts.agent, (run) => visibleText(run.agent)),
    text('model', facts.model, (run) => visibleText(run.model ?? '')),
    number('active', facts.active, (run) => wholeSeconds(activeSeconds(run, now)), formatDuration),
    number('wall', facts.wall, (run) => wholeSeconds(wallSeconds(run, now)), formatDuration),
    number('turns', facts.turns, (run) => run.turns, formatCount),
    number('tools', facts.tools, (run) => run.tool_calls, formatCount),
    number('tokens', facts.tokens, (run) => totalTokens(run.tokens), formatTokens),
    number('output', facts.output, (run) => run.tokens.output + run.tokens.reasoning, formatTokens),
    number('cost', scripted ? facts.scriptedCost : facts.cost, (run) => run.cost_usd, formatMoney),
    number('attempts', facts.attempts, (run) => run.attempts, formatCount),
  ];
}

/** A file that one run or both wrote. */
export interface WrittenFile {
  readonly path: string;
  readonly by: 'a' | 'b' | 'both';
}

/** Files that the two runs wrote: first those that both did. */
export function writtenFiles(a: ResultEntry | null, b: ResultEntry | null): readonly WrittenFile[] {
  const inA = new Set(a?.files_written);
  const inB = new Set(b?.files_written);
  const paths = [...new Set([...inA, ...inB])].sort((one, two) => one.localeCompare(two));
  const files = paths.map((path): WrittenFile => {
    const by = inA.has(path) ? (inB.has(path) ? 'both' : 'a') : 'b';
    return { path, by };
  });
  return [...files.filter(({ by }) => by === 'both'), ...files.filter(({ by }) => by !== 'both')];
}
