import { create } from 'zustand';

interface CanvasView {
  /** 1 is 100 %; null while no tree is drawn. */
  readonly zoom: number | null;
  readonly fit: () => void;
}

/** What the strip shows and does of the tree's canvas; the tree sets it while it is drawn. */
export const useCanvasView = create<CanvasView>(() => ({ zoom: null, fit: () => undefined }));
