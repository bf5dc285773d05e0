import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { resolveInside } from '../../../workspace/containment/resolve-inside.ts';

const MOST = 3;

/** ` Did you mean …?` with names of the same folder that are close to a path that does not exist; empty if none is. */
export async function similarNames(workspace: string, path: string): Promise<string> {
  const folder = await resolveInside(workspace, dirname(path));
  if (!folder.ok || !folder.value.exists) return '';
  const wanted = basename(path).toLowerCase();
  const names = await readdir(folder.value.path).catch(() => []);
  const close = names
    .slice(0, 2000)
    .map((name) => ({ name, distance: distance(name.toLowerCase(), wanted) }))
    .filter((one) => one.distance <= Math.max(2, wanted.length / 4))
    .sort((a, b) => a.distance - b.distance);
  if (close.length === 0) return '';
  return ` Did you mean ${close.slice(0, MOST).map(({ name }) => `"${join(dirname(path), name)}"`).join(' or ')}?`; // prettier-ignore
}

/** Edit distance of two short names. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
