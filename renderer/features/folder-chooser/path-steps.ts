/** One folder above, as a step of the path. */
export interface PathStep {
  readonly name: string;
  readonly path: string;
}

/** The folders that lead to a path, from the root down. Understands `/home/me` and `C:\Users\me`. */
export function pathSteps(path: string): readonly PathStep[] {
  const windows = /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\');
  const separator = windows ? '\\' : '/';
  const root = windows ? (/^(?:[A-Za-z]:[\\/]|\\\\[^\\]+\\[^\\]+\\?)/.exec(path)?.[0] ?? '') : '/';
  const steps: PathStep[] = [{ name: windows ? root.replace(/[\\/]$/, '') : '/', path: root }];
  let at = root;
  for (const name of path.slice(root.length).split(windows ? /[\\/]/ : '/')) {
    if (name === '') continue;
    at = at.endsWith(separator) || at === '' ? at + name : at + separator + name;
    steps.push({ name, path: at });
  }
  return steps;
}

/** The folder that a path ends in: `proj` of `/home/me/proj/`; of a root the root. */
export function nameOfPath(path: string): string {
  const names = path.split(/[\\/]/).filter((name) => name.trim() !== '');
  return names.at(-1)?.trim() ?? path;
}

/** A typed path as the core understands it: one that begins nowhere begins in the folder shown. */
export function typedPath(typed: string, shown: string | undefined): string {
  const path = typed.trim();
  if (shown === undefined || /^(?:[/\\~]|[A-Za-z]:)/.test(path)) return path;
  const separator = shown.includes('\\') ? '\\' : '/';
  return shown.endsWith(separator) ? shown + path : shown + separator + path;
}
