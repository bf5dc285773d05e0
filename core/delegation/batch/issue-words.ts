import type { z } from 'zod';
import { BatchInput, TaskInput, TreeLimits } from '../../protocol/batch.ts';
import { RunLimits } from '../../protocol/settings.ts';
import { kindOf } from './normalise-value.ts';
import { listed, quote } from './problem.ts';
import type { Mistake } from './problem-list.ts';
import { didYouMean } from './suggest.ts';

type Issue = z.core.$ZodIssue;

/** Unknown keys that are reported of one object. */
const MAX_UNKNOWN = 20;

const KINDS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** Words that people and models use for a field of ours. */
const OTHER_WORDS: Record<string, string> = {
  prompt: 'goal',
  task: 'goal',
  instruction: 'goal',
  instructions: 'goal',
  description: 'goal',
  title: 'label',
  name: 'label',
  schema: 'output_schema',
  timeout: 'limits.timeout_seconds',
  ...Object.fromEntries(Object.keys(RunLimits.shape).map((key) => [key, `limits.${key}`])),
};

const VERIFY = ['command', 'timeout_seconds'];

/** Keys of the objects that a field may hold; only limits and `acceptance` have some. */
function keysAt(path: readonly PropertyKey[]): string[] {
  if (path[0] === 'limits') return Object.keys(RunLimits.shape);
  if (path[0] === 'tree_limits') return Object.keys(TreeLimits.shape);
  return path.length === 1 ? ['verify'] : VERIFY;
}

function atLeast(issue: Extract<Issue, { code: 'too_small' }>): string {
  if (issue.origin === 'array') return `must have at least ${issue.minimum} entries`;
  if (issue.origin === 'string') return 'must not be empty';
  return issue.inclusive ? `must be at least ${issue.minimum}` : `must be above ${issue.minimum}`;
}

function atMost(issue: Extract<Issue, { code: 'too_big' }>): string {
  if (issue.origin === 'array') return `may have at most ${issue.maximum} entries`;
  if (issue.origin === 'string') return `may have at most ${issue.maximum} characters`;
  return `must be at most ${issue.maximum}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
}

function demand(issue: Issue, value: unknown): string {
  if (issue.code === 'invalid_type') {
    return `must be ${KINDS[issue.expected] ?? issue.expected}, not ${typeof value === 'number' ? value : kindOf(value)}`;
  }
  if (issue.code === 'too_small') return atLeast(issue);
  if (issue.code === 'too_big') return atMost(issue);
  if (issue.code !== 'invalid_value') return issue.message;
  return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
}

/** What is wrong with keys that an object must not have. `known` are those that it may have. */
function unknownKeys(keys: readonly string[], known: readonly string[], inside: string): Mistake[] {
  const mistakes = keys.slice(0, MAX_UNKNOWN).map((key): Mistake => {
    const suggestion = didYouMean(key, known);
    const meant = suggestion ? ` (did you mean "${suggestion}"?)` : '';
    const fix = suggestion ? `Call it "${suggestion}".` : `Take it out. Known keys: ${listed(known, 99)}.`;
    return {
      field: inside + key,
      message: `the key ${quote(key)} is unknown${meant}`,
      fix,
      suggestion,
    };
  });
  if (keys.length > MAX_UNKNOWN) {
    const message = `${keys.length - MAX_UNKNOWN} more keys are unknown`;
    mistakes.push({ field: null, message, fix: 'Take them out.' });
  }
  return mistakes;
}

/** Unknown keys of a task or of the batch itself: also says when the key has its place elsewhere. */
export function misplacedKeys(keys: readonly string[], known: readonly string[], of: 'task' | 'batch'): Mistake[] {
  const elsewhere: Record<string, unknown> = of === 'task' ? BatchInput.shape : TaskInput.shape;
  const advice = (key: string): Partial<Mistake> | null => {
    const word = Object.hasOwn(OTHER_WORDS, key) ? OTHER_WORDS[key] : undefined;
    if (of === 'task' && word !== undefined) return { suggestion: word, fix: `Call it "${word}".` };
    if (!Object.hasOwn(elsewhere, key)) return null;
    const place =
      of === 'task' ? 'at the top of the batch' : key === 'goal' ? 'into a task' : 'into "defaults" or a task';
    return { suggestion: null, fix: `Put it ${place}.` };
  };
  return unknownKeys(keys, known, '').map((mistake) => {
    const better = mistake.field === null ? null : advice(mistake.field);
    if (better === null) return mistake;
    return { ...mistake, message: `the key ${quote(mistake.field ?? '')} is unknown here`, ...better };
  });
}

/** The mistakes in the value of one field, from what its schema found. */
export function fieldMistakes(field: string, value: unknown, issues: readonly Issue[]): Mistake[] {
  return issues.flatMap((issue): Mistake[] => {
    const path = [field, ...issue.path];
    const dotted = path.map(String).join('.');
    if (issue.code === 'unrecognized_keys') return unknownKeys(issue.keys, keysAt(path), `${dotted}.`);
    const found = valueAt(value, issue.path);
    const words = demand(issue, found);
    const options = issue.code === 'invalid_value' ? issue.values.map(String) : [];
    const suggestion = typeof found === 'string' ? didYouMean(found, options) : null;
    // What is wrong with it needs no second telling; what it has to be does.
    const demanded = words.startsWith('must') ? `; it ${words.replace(/, not .*$/, '')}` : '';
    const fix = suggestion ? `Did you mean "${suggestion}"?` : `Change it${demanded}.`;
    return [{ field: dotted, message: `${dotted} ${words}`, fix, suggestion }];
  });
}
