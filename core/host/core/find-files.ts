import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { callGit } from '../../workspace/worktrees/call-git.ts';
import { findGit } from '../../workspace/worktrees/find-git.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Paths of a project, relative to it, with `/` between their parts. */
export interface FoundFiles {
  readonly paths: readonly string[];
  readonly truncated: boolean;
}

// A list that is asked for with every key pressed: it is read once in a while, not each time.
const FRESH_MS = 5_000;
const MAX_FILES = 50_000;
// What nobody wants completed where there is no .gitignore to say so.
const SKIPPED = new Set(['.git', 'node_modules', '.venv', '__pycache__', 'target', 'dist', 'build']);

/** The files of projects, for completion (ui.md, `@`). */
export class ProjectFiles {
  readonly #environment: Environment;
  readonly #now: () => number;
  readonly #lists = new Map<string, { readonly at: number; readonly files: Promise<readonly string[]> }>();

  constructor(environment: Environment, now: () => number) {
    this.#environment = environment;
    this.#now = now;
  }

  /** Files that answer to a text: every part of it between spaces is in the path; the shortest and nearest to the top first. */
  async find(folder: string, text: string, limit: number): Promise<FoundFiles> {
    const files = await this.#list(folder);
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const found = files.flatMap((path) => {
      const rank = rankOf(path, words);
      return rank === null ? [] : [{ path, rank }];
    });
    found.sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
    return {
      paths: found.slice(0, limit).map(({ path }) => path),
      truncated: found.length > limit || files.length >= MAX_FILES,
    };
  }

  #list(folder: string): Promise<readonly string[]> {
    const known = this.#lists.get(folder);
    const now = this.#now();
    if (known !== undefined && now - known.at < FRESH_MS) return known.files;
    const files = this.#read(folder);
    this.#lists.set(folder, { at: now, files });
    return files;
  }

  async #read(folder: string): Promise<readonly string[]> {
    return (await this.#tracked(folder)) ?? (await walk(folder));
  }

  /** Git's list, with what is not tracked yet and without what is ignored; null outside a repository. */
  async #tracked(folder: string): Promise<readonly string[] | null> {
    const git = await findGit(this.#environment, folder);
    if (!git.ok) return null;
    const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
    const answer = await callGit(git.value, { cwd: folder, args, reads: true, timeoutMs: 10_000, atLimit: 'cut' });
    return answer.ok ? answer.stdout.split('\0').filter(Boolean).slice(0, MAX_FILES) : null;
  }
}

/** Lower is better; null does not answer. A word in the file's own name counts more than one in its folders. */
function rankOf(path: string, words: readonly string[]): number | null {
  const whole = path.toLowerCase();
  const name = whole.slice(whole.lastIndexOf('/') + 1);
  let rank = 0;
  for (const word of words) {
    if (!whole.includes(word)) return null;
    if (name.startsWith(word)) continue;
    rank += name.includes(word) ? 1 : 2;
  }
  return rank;
}

/** The files below a folder that is not git's, the nearest first; links are not followed. */
async function walk(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  let level = [''];
  while (level.length > 0 && files.length < MAX_FILES) {
    const next: string[] = [];
    for (const below of level) {
      // A folder that may not be read has nothing to complete.
      const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        const path = below === '' ? entry.name : `${below}/${entry.name}`;
        if (entry.isFile()) files.push(path);
        else if (entry.isDirectory() && !SKIPPED.has(entry.name)) next.push(path);
      }
    }
    level = next;
  }
  return files.slice(0, MAX_FILES);
}
