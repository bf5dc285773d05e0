import { EventEmitter } from 'node:events';
import { machine, state } from './machine.ts';

class StandInApp extends EventEmitter {
  readonly isPackaged = false;
  #quitting = false;
  #userData = '';

  getAppPath = (): string => machine.root;
  getName = (): string => 'Espalier';
  getVersion = (): string => '0.1.0';
  setPath = (_name: string, path: string): void => void (this.#userData = path);
  getPath = (_name: string): string => this.#userData;
  disableHardwareAcceleration = (): void => void (state.safe = true);
  requestSingleInstanceLock = (): boolean => true;
  setAsDefaultProtocolClient = (): boolean => true;
  whenReady = (): Promise<void> => Promise.resolve();
  setBadgeCount = (count = 0): boolean => ((state.badge = count), true);
  addRecentDocument = (path: string): void =>
    void (state.recent = [path, ...state.recent.filter((one) => one !== path)]);
  relaunch = (options: { args?: string[] } = {}): void => void (state.relaunched = options.args ?? []);
  exit = (code = 0): void => machine.exit(code);

  /** As Electron's: a listener of any step may hold it up. */
  quit = (): void => {
    if (this.#isHeldUp('before-quit')) return;
    this.#quitting = true;
    for (const window of [...state.windows]) window.close();
    if (state.windows.length > 0) {
      this.#quitting = false;
      return;
    }
    if (!this.#isHeldUp('will-quit')) this.exit(0);
  };

  /** Told by the windows. */
  windowClosed(): void {
    if (state.windows.length === 0 && !this.#quitting) this.emit('window-all-closed');
  }

  #isHeldUp(name: string): boolean {
    let held = false;
    this.emit(name, { preventDefault: () => (held = true) });
    return held;
  }
}

export const app = new StandInApp();
