import { inspectStrings } from '../../renderer/shared/inspect-strings.ts';
import { runStrings } from '../../renderer/shared/run-strings.ts';
import { settingsStrings } from '../../renderer/shared/settings-strings.ts';
import { startStrings } from '../../renderer/shared/start-strings.ts';
import { strings } from '../../renderer/shared/strings.ts';
import { viewStrings } from '../../renderer/shared/view-strings.ts';
import { workStrings } from '../../renderer/shared/work-strings.ts';
import type { SeenControl } from './page-recorder.ts';

const CATALOGUES: readonly unknown[] = [
  strings,
  runStrings,
  inspectStrings,
  settingsStrings,
  startStrings,
  viewStrings,
  workStrings,
];
/** Letters of the longest word that is counted. */
const COUNTED = 6;
/** Stands where a sentence of the catalogue takes a word. */
const HOLE = '\uE000';

interface Sentence {
  /** How it is listed: `Stop …`. */
  readonly shown: string;
  readonly pattern: RegExp;
  /** Letters that are not a hole: of two that fit, the one with more says more. */
  readonly weight: number;
}

function sentenceOf(text: string): Sentence | null {
  const parts = text.replaceAll('NaN', HOLE).trim().split(HOLE);
  const weight = parts.join('').replaceAll(/[^\p{L}]/gu, '').length;
  // Nothing but holes would fit everything.
  if (weight < (parts.length === 1 ? 1 : 3) || text.length > 200) return null;
  const escaped = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  // Of a word alone behind a hole, `… tools`, the hole is a number: a description may end with that word too.
  const counts = parts.length === 2 && parts[0] === '' && weight <= COUNTED;
  const source = escaped.join(counts ? String.raw`[\d.,\s]+` : '(.+?)');
  return {
    shown: parts.join('…'),
    pattern: new RegExp(`^${source}$`, 'su'),
    weight: parts.length === 1 ? 10_000 : weight,
  };
}

/** What a function of the catalogue says: of several, and of one. */
function said(sentence: (...words: unknown[]) => unknown): string[] {
  return [HOLE, 1, [HOLE], []].flatMap((word) => {
    try {
      const text = sentence(word, HOLE, HOLE);
      // What was said of one is said of others: the number is a hole too.
      return typeof text === 'string' ? [text.replaceAll(/\b1\b/gu, HOLE)] : [];
    } catch {
      // It takes something else.
      return [];
    }
  });
}

function sentencesIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') return said(value as (...words: unknown[]) => unknown);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(sentencesIn);
  return [];
}

const SENTENCES = [...new Set(CATALOGUES.flatMap(sentencesIn))]
  .flatMap((text) => sentenceOf(text) ?? [])
  .sort((a, b) => b.weight - a.weight);

const known = new Map<string, string>();

function shownName(name: string): string | null {
  const before = known.get(name);
  if (before !== undefined) return before;
  const found = SENTENCES.find(({ pattern }) => pattern.test(name))?.shown ?? null;
  if (found !== null) known.set(name, found);
  return found;
}

/** What stands behind the label of a choice for all tasks of a batch; the labels are of the catalogue. */
const FOR_ALL = `, ${startStrings.batch.forAll.toLowerCase()}`;

/** What a control says for a moment after it was used: no control of its own. */
const MOMENTARY = new RegExp(`^${runStrings.copied}\\b`, 'u');

const { reasoning, reasonedShort } = runStrings.transcript;
/** The fold of a model's reasoning: while it comes, after it, with or without the first of it behind its title. */
const REASONING = new RegExp(`^(?:${reasoning}|${reasonedShort})`, 'u');

/**
 * Role and name of a control as the list has them; null for one that only says what it has just done. The words that people, agents and files put into a name are left out; one
 * whose whole name is such words is told by where it stands.
 */
export function controlKey({ role, name, place }: Pick<SeenControl, 'role' | 'name' | 'place'>): string | null {
  if (MOMENTARY.test(name)) return null;
  if (REASONING.test(name)) return `${role} “${reasoning}”`;
  // What opens more to say has an ellipsis behind its word.
  const shown = name.endsWith(FOR_ALL)
    ? name
    : (shownName(name) ?? (name.endsWith('…') ? shownName(name.slice(0, -1)) : null));
  if (shown !== null) return `${role} “${shown}”`;
  const where = shownName(place) ?? (place === '' ? '' : '…');
  return `${role} … in “${where}”`;
}
