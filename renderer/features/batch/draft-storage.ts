import { isDraft, isRecord, type Draft } from './draft.ts';
import { readAside, type PutAside } from './put-aside.ts';

/** A draft as it is kept, with those that made way for it, the newest first. */
export interface KeptDraft {
  readonly draft: Draft;
  readonly aside: readonly PutAside[];
}

const keyOf = (project: string | null): string => `espalier:batch:${project ?? ''}`;

/** The draft of a project; null when there is none, or what is there is of another build. */
export function loadDraft(storage: Storage, project: string | null): KeptDraft | null {
  try {
    const kept: unknown = JSON.parse(storage.getItem(keyOf(project)) ?? 'null');
    if (!isRecord(kept) || !isDraft(kept['draft'])) return null;
    return { draft: kept['draft'], aside: readAside(kept, Date.now()) };
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
