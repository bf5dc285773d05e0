import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveInside } from '../containment/resolve-inside.ts';
import { readSkill, SKILL_FILE, type SkillHead } from './read-skill.ts';
import { PROJECT_SKILL_FOLDERS } from './skill-folders.ts';

/** A skill that a run may use. */
export interface Skill extends SkillHead {
  /** Its file, absolute. */
  readonly place: string;
}

export interface Skills {
  /** By name. */
  readonly skills: readonly Skill[];
  /** What was left out, and why, in words for people. */
  readonly warnings: readonly string[];
}

export interface SkillSources {
  /** Root of a project whose definitions are trusted (A4); null when they are not. */
  readonly project: string | null;
  /** The user's own folders of skills, absolute. */
  readonly folders: readonly string[];
  /** Names of those that are wanted; null is all. */
  readonly only: readonly string[] | null;
}

/** Folders that are looked into at one place; more are no collection of skills. */
const MOST_FOLDERS = 200;
/** Skills that are offered, and characters of their names, descriptions and places together: the prompt has to hold them. */
const MOST_SKILLS = 64;
const MOST_CHARS = 24 * 1024;
const MOST_WARNINGS = 20;

/**
 * Finds the skills of a run (K1): of the project, where trusted, before the user's own; of two of one name the first counts. Reads front matter only,
 * never fails: what cannot be used is told in `warnings`.
 */
export async function loadSkills({ project, folders, only }: SkillSources): Promise<Skills> {
  if (only?.length === 0) return { skills: [], warnings: [] };
  const found = new Map<string, Skill>();
  const warnings: string[] = [];
  const finds = [
    ...(project === null ? [] : PROJECT_SKILL_FOLDERS.map((folder) => inProject(project, folder))),
    ...folders.map(ofUser),
  ];
  for (const find of await Promise.all(finds)) await takeAll(find, found, warnings);
  const wanted = only === null ? [...found.values()] : only.flatMap((name) => found.get(name) ?? []);
  for (const name of only ?? []) if (!found.has(name)) warnings.push(`There is no skill "${name}".`);
  return bounded(wanted, warnings);
}

async function takeAll({ folder, names, fault, fileOf }: Find, found: Map<string, Skill>, warnings: string[]) {
  if (fault !== null) warnings.push(fault);
  for (const name of names) {
    const { root, path } = await fileOf(name);
    const read = await readSkill(root, path, name);
    if (!read.ok) warnings.push(`The skill in ${folder}/${name} is left out: ${read.error}`);
    else if (read.value !== null && !found.has(read.value.name)) {
      found.set(read.value.name, { ...read.value, place: join(root, path) });
    }
  }
}

/** The folders at one place that may be skills. */
interface Find {
  readonly folder: string;
  readonly names: readonly string[];
  readonly fault: string | null;
  /** Where the file of a skill is, and what it may not lead out of. */
  fileOf(name: string): Promise<{ readonly root: string; readonly path: string }>;
}

async function inProject(project: string, folder: string): Promise<Find> {
  const place = await resolveInside(project, folder);
  const fileOf = (name: string) => Promise.resolve({ root: project, path: `${folder}/${name}/${SKILL_FILE}` });
  if (!place.ok) return { folder, names: [], fault: `Skills in ${folder}: ${place.error.message}`, fileOf };
  return { folder, ...(await listed(folder, place.value.exists ? place.value.path : null)), fileOf };
}

/** What the user has linked into a folder of their own is theirs, wherever it is. */
async function ofUser(folder: string): Promise<Find> {
  const real = await realpath(folder).catch(() => null);
  const fileOf = async (name: string) => {
    const place = join(folder, name);
    return { root: await realpath(place).catch(() => place), path: SKILL_FILE };
  };
  return { folder, ...(await listed(folder, real)), fileOf };
}

async function listed(folder: string, path: string | null): Promise<Pick<Find, 'names' | 'fault'>> {
  if (path === null) return { names: [], fault: null };
  const entries = await readdir(path, { withFileTypes: true }).catch(() => null);
  if (entries === null) return { names: [], fault: `The folder of skills ${folder} cannot be listed.` };
  const names = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => name);
  const fault =
    names.length > MOST_FOLDERS
      ? `Of the ${names.length} folders in ${folder} the first ${MOST_FOLDERS} are used.`
      : null;
  return { names: names.sort().slice(0, MOST_FOLDERS), fault };
}

/** The first of them by name, as many as the prompt can hold. */
function bounded(skills: readonly Skill[], warnings: readonly string[]): Skills {
  const sorted = [...skills].sort((a, b) => (a.name < b.name ? -1 : 1));
  const kept: Skill[] = [];
  let room = MOST_CHARS;
  for (const skill of sorted) {
    room -= skill.name.length + skill.description.length + skill.place.length;
    if (kept.length === MOST_SKILLS || room < 0) break;
    kept.push(skill);
  }
  const left = sorted.slice(kept.length).map(({ name }) => name);
  const more =
    left.length === 0 ? [] : [`There is no room for ${left.length} more skills: ${left.slice(0, 10).join(', ')}.`];
  const told = [...more, ...warnings];
  const cut = told.length > MOST_WARNINGS ? [`… and ${told.length - MOST_WARNINGS} more.`] : [];
  return { skills: kept, warnings: [...told.slice(0, MOST_WARNINGS), ...cut] };
}
