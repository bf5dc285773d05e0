/** Parts of a row that can take the focus. */
export type RowPart = 'label' | 'goal' | 'context' | 'agent' | 'model' | 'isolation' | 'limits' | 'after' | 'grip';

interface RowRequest {
  readonly key: string;
  readonly part: RowPart;
}

const listeners = new Set<(request: RowRequest) => void>();

/** Brings a row into view and the focus to a part of it. */
export function requestRow(key: string, part: RowPart): void {
  // The row may only now be there.
  requestAnimationFrame(() => {
    for (const listener of listeners) listener({ key, part });
  });
}

/** Hears {@link requestRow}; answers how to stop. */
export function onRowRequest(listener: (request: RowRequest) => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

const PARTS: readonly RowPart[] = ['label', 'goal', 'context', 'agent', 'model', 'isolation', 'limits'];

/** The part of a row that a problem's field is shown in. */
export function partOfField(field: string | null): RowPart {
  const top = field?.split('.')[0] ?? '';
  if (top === 'depends_on' || top === 'depends_on_any_outcome') return 'after';
  return PARTS.find((part) => part === top) ?? 'goal';
}
