/** A file or folder as it lies in a drop or paste. */
export interface DroppedItem<File> {
  readonly file: File;
  readonly name: string;
  readonly folder: boolean;
  /** Empty where a browser tells none. */
  readonly path: string;
}

/** What people dropped or pasted, told apart. */
export interface Dropped<File> {
  readonly folders: readonly DroppedItem<File>[];
  readonly files: readonly DroppedItem<File>[];
  /** Null when there was none, or files came beside it. */
  readonly text: string | null;
}

/** Tells apart what was dropped. A text beside files is only their names or addresses. */
export function classify<File>(items: readonly DroppedItem<File>[], text: string): Dropped<File> {
  const said = text.trim() === '' || items.length > 0 ? null : text;
  return {
    folders: items.filter((item) => item.folder),
    files: items.filter((item) => !item.folder),
    text: said,
  };
}

/** As much of a `DataTransfer` as is read; it must be read before the event is over. */
export interface TransferLike {
  readonly items: ArrayLike<{
    readonly kind: string;
    getAsFile(): File | null;
    webkitGetAsEntry?(): { readonly isDirectory: boolean } | null;
  }>;
  getData(type: string): string;
}

/** Reads a drop or paste while its event lasts. `pathOf` is the desktop's. */
export function readTransfer(transfer: TransferLike, pathOf: ((file: File) => string) | null): Dropped<File> {
  const items = Array.from(transfer.items).flatMap((item): DroppedItem<File>[] => {
    if (item.kind !== 'file') return [];
    const folder = item.webkitGetAsEntry?.()?.isDirectory ?? false;
    const file = item.getAsFile();
    return file === null ? [] : [{ file, name: file.name, folder, path: pathOf?.(file) ?? '' }];
  });
  return classify(items, transfer.getData('text/plain'));
}

/** Whether what is dragged over the window is something that could be taken. */
export function couldTake(types: readonly string[], overField: boolean): boolean {
  if (types.includes('Files')) return true;
  // A field takes a text itself.
  return types.includes('text/plain') && !overField;
}
