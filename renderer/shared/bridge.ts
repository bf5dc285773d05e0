import type { KeyRequest, PageFact } from '../../core/protocol/desktop.ts';

/** What the desktop's preload offers; a page in a browser has none. */
export interface Bridge {
  /** Asks for a port to the core; it arrives as a window message `espalier:port` that carries it. */
  port(): void;
  /** The path of a dropped file or folder; empty for one that has none. */
  pathOf?(file: File): string;
  /** The system's folder dialog; null if it was cancelled. */
  chooseFolder?(): Promise<string | null>;
  /** Tells the desktop something of the page. */
  tell?(fact: PageFact): void;
  /** Hears what the desktop asks for; the page reads it with its schema. */
  onCommand?(listener: (command: unknown) => void): void;
  /** Lists, keeps or forgets keys in the system's keychain; the answer is a `KeyAnswer` (null if the page is not heard): names, never a value. */
  keys?(request: KeyRequest): Promise<unknown>;
}

declare global {
  interface Window {
    espalier?: Bridge;
  }
}

/** Data of the window message that brings the port. */
export const PORT_MESSAGE = 'espalier:port';

/** The desktop's bridge, or null in a browser. */
export function bridge(): Bridge | null {
  return window.espalier ?? null;
}
