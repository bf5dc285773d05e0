import type { FileChange, RunChanges } from '../../protocol/changes.ts';
import type { CallChange } from '../../registry/store/call-changes.ts';

interface ChangedFile {
  readonly change: FileChange;
  readonly diffs: readonly string[];
}

/**
 * The changes of a run's own calls as one list: each file once, its diffs in the order of the calls. Several diffs of a file build on each other, so
 * line numbers are those of the moment.
 */
export function callChanges(
  calls: readonly CallChange[],
  maxPatch: number,
): Pick<RunChanges, 'files' | 'patch' | 'cut'> {
  const files = new Map<string, ChangedFile>();
  for (const call of calls) {
    if (call.type === 'diff') addDiff(files, call);
    else for (const path of call.paths) addUncompared(files, path);
  }
  const all = [...files.values()];
  const patch = all.map(patchOf).join('');
  return { files: all.map(({ change }) => change), patch: patch.slice(0, maxPatch), cut: patch.length > maxPatch };
}

function addDiff(
  files: Map<string, ChangedFile>,
  { path, diff, added, removed }: Extract<CallChange, { type: 'diff' }>,
) {
  if (diff === '') return;
  const known = files.get(path);
  const change: FileChange = known?.change ?? {
    path,
    old_path: null,
    status: diff.startsWith('@@ -0,0 ') ? 'added' : 'modified',
    additions: 0,
    deletions: 0,
  };
  const additions = change.additions === null ? null : change.additions + added;
  const deletions = change.deletions === null ? null : change.deletions + removed;
  files.set(path, { change: { ...change, additions, deletions }, diffs: [...(known?.diffs ?? []), diff] });
}

/** Too large to be compared: its lines are not known any more. */
function addUncompared(files: Map<string, ChangedFile>, path: string): void {
  const known = files.get(path);
  const change: FileChange = {
    path,
    old_path: null,
    status: known?.change.status ?? 'modified',
    additions: null,
    deletions: null,
  };
  files.set(path, { change, diffs: known?.diffs ?? [] });
}

function patchOf({ change, diffs }: ChangedFile): string {
  if (diffs.length === 0) return '';
  const before = change.status === 'added' ? '/dev/null' : `a/${change.path}`;
  return `--- ${before}\n+++ b/${change.path}\n${diffs.join('\n')}\n`;
}
