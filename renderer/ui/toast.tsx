import { Toast } from 'radix-ui';
import { create } from 'zustand';
import { strings } from '../shared/strings.ts';
import { Button, IconButton } from './button.tsx';

interface ToastItem {
  readonly id: number;
  readonly title: string;
  readonly detail: string | null;
  /** Text for *Copy details*; errors have it. */
  readonly copy: string | null;
  /** Takes back what was done. */
  readonly undo: (() => void) | null;
}

const useToasts = create<{ readonly items: readonly ToastItem[] }>(() => ({ items: [] }));
/** More at once would lie over what is worked on. */
const MOST = 3;
let nextId = 1;

function push(item: Omit<ToastItem, 'id'>): void {
  nextId += 1;
  const added = { ...item, id: nextId };
  useToasts.setState(({ items }) => ({ items: [...items.slice(1 - MOST), added] }));
}

function drop(id: number): void {
  useToasts.setState(({ items }) => ({ items: items.filter((item) => item.id !== id) }));
}

/** Says what became of something the user did. Never for what the tree already shows. */
export function toast(title: string, detail: string | null = null): void {
  push({ title, detail, copy: null, undo: null });
}

/** Says that something was done that is out of sight now, and offers to take it back. */
export function toastUndo(title: string, undo: () => void): void {
  push({ title, detail: null, copy: null, undo });
}

/** Says that something the user did failed: what happened, and details to copy. */
export function toastError(title: string, detail: string | null, copy: string): void {
  push({ title, detail, copy, undo: null });
}

const SHORT_MS = 6000;
/** An error is read, not glanced at. */
const LONG_MS = 30_000;
/** One notices a moment later what was not meant. */
const UNDO_MS = 12_000;

function durationOf({ copy, undo }: ToastItem): number {
  if (copy !== null) return LONG_MS;
  return undo === null ? SHORT_MS : UNDO_MS;
}

/** Where the toasts appear; mounted once. */
export function Toasts() {
  const items = useToasts((state) => state.items);
  return (
    <Toast.Provider>
      {items.map((item) => (
        <Toast.Root
          key={item.id}
          className="toast"
          duration={durationOf(item)}
          onOpenChange={(open) => {
            if (!open) drop(item.id);
          }}
        >
          <div className="flex items-start gap-2">
            <div className="min-w-0 grow">
              <Toast.Title className="font-med">{item.title}</Toast.Title>
              {item.detail !== null && (
                <Toast.Description className="mt-1 text-ink-2 select-text break-words">{item.detail}</Toast.Description>
              )}
            </div>
            <Toast.Close asChild>
              <IconButton icon="close" name={strings.errors.dismiss} className="-mt-1 -mr-1" />
            </Toast.Close>
          </div>
          {item.undo !== null && (
            <Toast.Action asChild altText={strings.sidebar.undo}>
              <Button className="mt-2" onClick={item.undo}>
                {strings.sidebar.undo}
              </Button>
            </Toast.Action>
          )}
          {item.copy !== null && (
            <Button
              className="mt-2"
              onClick={() => {
                void navigator.clipboard.writeText(item.copy ?? '');
              }}
            >
              {strings.errors.copy}
            </Button>
          )}
        </Toast.Root>
      ))}
      <Toast.Viewport className="toasts" />
    </Toast.Provider>
  );
}
