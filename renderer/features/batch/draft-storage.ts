import { isRecord, type Draft } from './draft.ts';

/** A draft as it is kept, with the one that it pushed aside. */
export interface KeptDraft {
  readonly draft: Draft;
  readonly earlier: Draft | null;
}

const keyOf = (project: string | null): string => `espalier:batch:${project ?? ''}`;

function isDraft(value: unknown): value is Draft {
  return (
    isRecord(value) &&
    typeof value['title'] === 'string' &&
    isRecord(value['head']) &&
    Array.isArray(value['rows']) &&
    value['rows'].every((row) => isRecord(row) && typeof row['key'] === 'string' && isRecord(row['task'])) &&
    Array.isArray(value['sources']) &&
    typeof value['skipped'] === 'number' &&
    typeof value['serial'] === 'number'
  );
}

/** The draft of a project; null when there is none, or what is there is of another build. */
export function loadDraft(storage: Storage, project: string | null): KeptDraft | null {
  try {
    const kept: unknown = JSON.parse(storage.getItem(keyOf(project)) ?? 'null');
    if (!isRecord(kept) || !isDraft(kept['draft'])) return null;
    return { draft: kept['draft'], earlier: isDraft(kept['earlier']) ? kept['earlier'] : null };
  } catch {
    // Not JSON: nothing that could be shown.
    return null;
  }
}

/** Keeps a draft; false when there is no room for it. Null forgets it. */
export function saveDraft(storage: Storage, project: string | null, kept: KeptDraft | null): boolean {
  try {
    if (kept === null) storage.removeItem(keyOf(project));
    else storage.setItem(keyOf(project), JSON.stringify(kept));
    return true;
  } catch {
    // Over the browser's quota.
    return false;
  }
}
