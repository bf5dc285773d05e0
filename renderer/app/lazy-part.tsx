import { lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { LoadError, PaneBoundary } from './pane-boundary.tsx';
import { PaneWaiting } from './pane-waiting.tsx';

type Load<Props> = () => Promise<ComponentType<Props>>;

interface LazyOptions {
  /** What stands in its place until it is there. */
  readonly waiting?: ReactNode;
  /** Read it beside the page's own code: it is most likely the first thing that is shown. */
  readonly early?: boolean;
  /** For what lies over the page: how it is put away when it cannot be shown. */
  readonly onClose?: () => void;
}

const loads = new Set<() => Promise<unknown>>();

/**
 * A part of the page whose code is a file of its own, read when it is first shown or when the page has nothing else to do
 * ({@link loadRest}). An error in it, or a file that does not come, stays in its place.
 */
export function lazyPart<Props extends object>(load: Load<Props>, options: LazyOptions = {}): ComponentType<Props> {
  const { waiting = <PaneWaiting />, onClose, early = false } = options;
  let loaded: ComponentType<Props> | null = null;
  const read = async (): Promise<ComponentType<Props>> => {
    loaded ??= await load().catch((error: unknown) => {
      throw new LoadError(error);
    });
    return loaded;
  };
  const fresh = (): ComponentType<Props> => lazy(async () => ({ default: await read() }));
  let coming: ComponentType<Props> | null = null;
  loads.add(read);
  // If it does not come, the place that needs it says so.
  if (early) read().catch(() => undefined);
  return function LazyPart(props: Props) {
    // What is here already is drawn at once; the choice holds as long as it is shown, or its state would be lost.
    const [Part] = useState(() => loaded ?? (coming ??= fresh()));
    return (
      <PaneBoundary {...(onClose === undefined ? {} : { onClose })}>
        <Suspense fallback={waiting}>
          <Part {...props} />
        </Suspense>
      </PaneBoundary>
    );
  };
}

/** Reads all parts that are not here yet, one by one. What does not come is told where it is needed. */
export async function loadRest(): Promise<void> {
  for (const load of loads) await load().catch(() => undefined);
}
