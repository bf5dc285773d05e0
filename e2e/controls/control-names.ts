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
  if (weight < 3 || text.length > 200) return null;
  const source = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('(.+?)');
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

/**
 * Role and name of a control as the list has them. The words that people, agents and files put into a name are left out; one
 * whose whole name is such words is told by where it stands.
 */
export function controlKey({ role, name, place }: Pick<SeenControl, 'role' | 'name' | 'place'>): string {
  const shown = shownName(name);
  if (shown !== null) return `${role} “${shown}”`;
  const where = shownName(place) ?? place;
  return `${role} … in “${where}”`;
}
