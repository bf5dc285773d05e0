interface PressedKey {
  readonly target: EventTarget;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** Whether a key is one for the rows: pressed alone, and not in a control that has keys of its own. */
export function isRowKey({ target, ctrlKey, metaKey, altKey }: PressedKey): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  return !(target instanceof Element) || target.closest('button, input, select') === null;
}

/** Id of the row or card that something is in. */
export function itemOf(target: EventTarget): string | null {
  if (!(target instanceof Element)) return null;
  return target.closest<HTMLElement>('[data-item]')?.dataset['item'] ?? null;
}
