import { callGit, type ConfigEntry } from './call-git.ts';
import type { Git } from './find-git.ts';

/**
 * Which filters and merge drivers may run: `none` (a checkout brings what is stored: pointer files for LFS), or `own`: those that the
 * user set up for the whole machine, never what a repository brought (B41).
 */
export type Programs = 'none' | 'own';

const SET_UP_BY_USER = new Set(['system', 'global']);
/** `hook.<name>.command` are the hooks of newer gits that are no files, so that `core.hooksPath` says nothing about them. */
const NAMES = String.raw`^(filter\..*\.(smudge|clean|process|required)|merge\..*\.driver|hook\..*\.(command|event|enabled))$`;

/** Does what git's own text merge does, for a path whose driver may not run. */
const PLAIN_MERGE = 'git merge-file --marker-size=%L %A %O %B';

interface Setting {
  readonly section: string;
  readonly name: string;
  own: string | null;
  foreign: boolean;
}

/** The configuration that switches off what may not run, for a call in `cwd`. Null when the configuration cannot be read. */
export async function programOverrides(git: Git, cwd: string, programs: Programs): Promise<ConfigEntry[] | null> {
  const args = ['config', '--show-scope', '--null', '--get-regexp', NAMES];
  const answer = await callGit(git, { cwd, args, reads: true });
  // Status 1 with nothing printed: there is no such entry.
  if (answer.code === 1 && answer.stdout === '') return [];
  if (!answer.ok) return null;
  return overridesOf(answer.stdout, programs);
}

/** The overrides for what `git config --show-scope --null` printed. */
export function overridesOf(printed: string, programs: Programs): ConfigEntry[] {
  const [hooks, settings] = partition(readSettings(printed));
  const unsafe = new Set(
    settings.filter((setting) => programs === 'none' || setting.foreign).map(({ section }) => section),
  );
  const replaced = settings
    .filter(({ section }) => unsafe.has(section))
    .map((setting) => {
      const own = programs === 'own' ? setting.own : null;
      return [`${setting.section}.${setting.name}`, own ?? replacement(setting)] as const;
    });
  return [...replaced, ...hooks.flatMap(switchedOff)];
}

/** The names of all hooks, whoever set them up, and the settings of other programs. */
function partition(settings: readonly Setting[]): [hooks: string[], others: Setting[]] {
  const isHook = ({ section }: Setting): boolean => section.startsWith('hook.');
  const hooks = new Set(settings.filter(isHook).map(({ section }) => section));
  return [[...hooks], settings.filter((setting) => !isHook(setting))];
}

function switchedOff(hook: string): ConfigEntry[] {
  return [
    [`${hook}.enabled`, 'false'],
    [`${hook}.command`, ':'],
  ];
}

/** An empty command is none; a filter that does not run may not be required. */
function replacement({ section, name }: Setting): string {
  if (name === 'required') return 'false';
  return section.startsWith('merge.') ? PLAIN_MERGE : '';
}

function readSettings(printed: string): Setting[] {
  const settings = new Map<string, Setting>();
  const parts = printed.split('\0');
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [scope = '', entry = ''] = [parts[at], parts[at + 1]];
    const [key = '', ...lines] = entry.split('\n');
    const dot = key.lastIndexOf('.');
    const known = settings.get(key) ?? {
      section: key.slice(0, dot),
      name: key.slice(dot + 1),
      own: null,
      foreign: false,
    };
    if (SET_UP_BY_USER.has(scope)) known.own = lines.join('\n');
    else known.foreign = true;
    settings.set(key, known);
  }
  return [...settings.values()];
}
