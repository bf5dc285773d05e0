import { compileGlob, type GlobPattern } from './glob-pattern.ts';

interface IgnoreRule {
  readonly pattern: GlobPattern;
  readonly negated: boolean;
  readonly foldersOnly: boolean;
}

/** The rules of one `.gitignore`. */
export interface IgnoreFile {
  /** Names of the folder it lies in, from the root of the search. */
  readonly folder: readonly string[];
  readonly rules: readonly IgnoreRule[];
}

const MOST_RULES = 5000;

/** Parses a `.gitignore` that lies in `folder` (gitignore(5)). Lines that cannot be understood are left out. */
export function parseIgnoreFile(text: string, folder: readonly string[]): IgnoreFile {
  const rules: IgnoreRule[] = [];
  for (const line of text.split(/\r?\n/).slice(0, MOST_RULES)) {
    const rule = parseRule(line);
    if (rule !== null) rules.push(rule);
  }
  return { folder, rules };
}

/** Whether a path is ignored: the last rule that matches decides, deeper files after higher ones. */
export function isIgnored(files: readonly IgnoreFile[], names: readonly string[], isFolder: boolean): boolean {
  for (let index = files.length - 1; index >= 0; index -= 1) {
    const file = files[index];
    if (file === undefined) continue;
    const below = names.slice(file.folder.length);
    const rule = file.rules.findLast((one) => (isFolder || !one.foldersOnly) && one.pattern.matches(below));
    if (rule !== undefined) return !rule.negated;
  }
  return false;
}

function parseRule(line: string): IgnoreRule | null {
  let text = line.replace(/(?<!\\)\s+$/, '');
  if (text === '' || text.startsWith('#')) return null;
  const negated = text.startsWith('!');
  if (negated) text = text.slice(1);
  const foldersOnly = text.endsWith('/');
  if (foldersOnly) text = text.slice(0, -1);
  // A slash at the beginning or in the middle binds the pattern to the folder of its file.
  const compiled = compileGlob(text.includes('/') ? text.replace(/^\//, '') : `**/${text}`);
  return compiled.ok && text !== '' ? { pattern: compiled.value, negated, foldersOnly } : null;
}
