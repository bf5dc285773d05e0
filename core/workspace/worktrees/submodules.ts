import { join } from 'node:path';
import { type GitFolder, openGitFolder } from './git-folder.ts';
import { exists } from './repository.ts';
import { inTurn } from './repository-turns.ts';

/** A submodule as a worktree's index names it. */
export interface Submodule {
  /** From the top of its parent. */
  readonly path: string;
  readonly commit: string;
}

/** Deeper nesting than this is left empty. */
const MAX_DEPTH = 5;

/** The submodules that the index of a checkout names; null when it cannot be read. */
export async function listSubmodules(checkout: GitFolder): Promise<Submodule[] | null> {
  const answer = await checkout.read(['ls-files', '--stage', '-z']);
  if (!answer.ok) return null;
  return answer.stdout.split('\0').flatMap((line) => {
    const found = /^160000 ([0-9a-f]+) 0\t(.+)$/s.exec(line);
    return found === null ? [] : [{ commit: found[1] ?? '', path: found[2] ?? '' }];
  });
}

/** Where to look for the repositories of submodules: folders that hold one repository per submodule name. */
interface Source {
  readonly checkout: GitFolder;
  /** `modules` folder of the repository that has the submodules. */
  readonly modules: string;
  /** Prefix of paths in notes. */
  readonly shownPath: string;
  readonly lockReason: string;
  readonly depth: number;
}

/**
 * Fills the submodules of a new worktree, as far as it goes without the network (W1, B26): each becomes a worktree of the submodule's
 * repository that the project has already, so that commits made in it are in that repository, whatever becomes of the worktree.
 * Answers notes on those that stay empty.
 */
export async function fillSubmodules(checkout: GitFolder, commonDir: string, lockReason: string): Promise<string[]> {
  return fill({ checkout, modules: join(commonDir, 'modules'), shownPath: '', lockReason, depth: 0 });
}

async function fill(source: Source): Promise<string[]> {
  const { checkout, shownPath, depth } = source;
  const submodules = await listSubmodules(checkout);
  if (submodules === null)
    return [`The submodules of ${shownPath || 'the project'} could not be listed; they are empty.`];
  if (submodules.length === 0) return [];
  const names = await submoduleNames(checkout);
  const notes: string[] = [];
  for (const submodule of submodules) {
    const name = names.get(submodule.path);
    const shown = join(shownPath, submodule.path);
    const filled =
      name === undefined || depth >= MAX_DEPTH ? null : await fillOne(source, submodule, join(source.modules, name));
    if (filled === null) {
      notes.push(
        `The submodule ${shown} is empty: its commit ${submodule.commit.slice(0, 12)} is not on this machine.`,
      );
      continue;
    }
    notes.push(
      ...(await fill({
        ...source,
        checkout: filled.checkout,
        modules: filled.modules,
        shownPath: shown,
        depth: depth + 1,
      })),
    );
  }
  return notes;
}

async function fillOne(
  { checkout, lockReason }: Source,
  { path, commit }: Submodule,
  gitDir: string,
): Promise<{ checkout: GitFolder; modules: string } | null> {
  if (!(await exists(join(gitDir, 'HEAD')))) return null;
  const opened = await openGitFolder(checkout.git, gitDir, 'none');
  if (!opened.ok || !(await opened.value.read(['cat-file', '-e', `${commit}^{commit}`])).ok) return null;
  const target = join(checkout.path, path);
  const args = [
    'worktree',
    'add',
    '--quiet',
    '--no-checkout',
    '--detach',
    '--lock',
    '--reason',
    lockReason,
    target,
    commit,
  ];
  const added = await inTurn(gitDir, () => opened.value.write(args));
  if (!added.ok) return null;
  const inside = await openGitFolder(checkout.git, target, 'none');
  if (!inside.ok || !(await inside.value.write(['reset', '--hard', '--quiet', '--no-recurse-submodules'])).ok)
    return null;
  return { checkout: inside.value, modules: join(gitDir, 'modules') };
}

/** Names by path, from the committed `.gitmodules`; a name that would lead out of the folder of modules is none. */
async function submoduleNames(checkout: GitFolder): Promise<Map<string, string>> {
  const args = ['config', '--null', '--blob', 'HEAD:.gitmodules', '--get-regexp', String.raw`^submodule\..*\.path$`];
  const printed = (await checkout.ask(args)) ?? '';
  const names = new Map<string, string>();
  for (const entry of printed.split('\0')) {
    const [key = '', path] = entry.split('\n');
    const name = key.slice('submodule.'.length, -'.path'.length);
    const leadsOut = name === '' || name.split(/[/\\]/).some((part) => part === '..' || part === '.' || part === '');
    if (path !== undefined && !leadsOut) names.set(path, name);
  }
  return names;
}
