import { existsSync, writeFileSync } from 'node:fs';
import { app, dialog, type BrowserWindow } from 'electron';
import { assertNever } from '../core/kit/assert-never.ts';
import { quitQuestion, type QuitChoice } from '../core/host/desktop/quit.ts';
import type { WorkNow } from '../core/protocol/desktop.ts';
import { showNotification } from './notifier.ts';

/** How the app ends. */
export interface Ending {
  /** Everything at work is stopped first. */
  readonly endAll: boolean;
  /** Puts a newer version in place; null for not at all, without it only if one waits for that and nothing is at work. */
  readonly install?: (() => void) | null;
}

/** What quitting has to do with. */
export interface LifeParts {
  readonly hasTray: boolean;
  /** Exists once the person was told that closing keeps the app at work. */
  readonly toldFile: string;
  closesToTray(): boolean;
  work(): Promise<WorkNow>;
  stay(): void;
  close(ending: Ending): Promise<void>;
}

/** Closing to the tray, the question at quitting with work, and an orderly end. Workers outlive all of it unless the person says *stop all* (D5). */
export class Life {
  readonly #parts: LifeParts;
  #quitting = false;
  #asking = false;
  #ending: Ending = { endAll: false };
  #closing: 'no' | 'now' | 'done' = 'no';

  constructor(parts: LifeParts) {
    this.#parts = parts;
    app.on('before-quit', (event) => {
      if (this.#quitting) return;
      event.preventDefault();
      void this.#ask();
    });
    app.on('will-quit', (event) => {
      if (this.#closing === 'done') return;
      event.preventDefault();
      if (this.#closing === 'no') void this.#close();
    });
    app.on('window-all-closed', () => {
      if (process.platform !== 'darwin' && !this.#staysInTray()) app.quit();
    });
  }

  /** Somebody has said that the app ends: windows close and do not hide. */
  get isQuitting(): boolean {
    return this.#quitting;
  }

  /** Ends without a question. */
  quitNow(ending: Ending = { endAll: false }): void {
    this.#ending = ending;
    this.#quitting = true;
    app.quit();
  }

  /** The last window closes; answers whether it is only hidden. Tells once that the app goes on. */
  lastWindowCloses(): boolean {
    if (process.platform !== 'darwin' && !this.#staysInTray()) return false;
    if (!existsSync(this.#parts.toldFile) && process.platform !== 'darwin') {
      writeFileSync(this.#parts.toldFile, '', { mode: 0o600 });
      const body = 'Runs go on. Open or quit it from the icon in the tray, or start it again.';
      showNotification('Espalier stays in the tray', body, () => undefined);
    }
    return true;
  }

  #staysInTray(): boolean {
    return this.#parts.hasTray && this.#parts.closesToTray();
  }

  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    try {
      const question = quitQuestion({ ...(await this.#parts.work()), hasTray: this.#parts.hasTray });
      if (question === null) return this.quitNow();
      const cancelId = question.buttons.findIndex(({ choice }) => choice === 'cancel');
      const { response } = await dialog.showMessageBox({
        type: 'question',
        message: question.message,
        detail: question.detail,
        buttons: question.buttons.map(({ label }) => label),
        defaultId: 0,
        cancelId,
        noLink: true,
      });
      this.#take(question.buttons[response]?.choice ?? 'cancel');
    } finally {
      this.#asking = false;
    }
  }

  #take(choice: QuitChoice): void {
    switch (choice) {
      case 'stay':
        return this.#parts.stay();
      case 'stop_all':
        return this.quitNow({ endAll: true });
      case 'quit':
        return this.quitNow();
      case 'cancel':
        return;
      default:
        return assertNever(choice);
    }
  }

  /** Quitting waits until everything is committed. */
  async #close(): Promise<void> {
    this.#closing = 'now';
    try {
      await this.#parts.close(this.#ending);
    } catch (error) {
      console.error(error);
    }
    this.#closing = 'done';
    app.quit();
  }
}

/** Says that the page went away again and again, and asks what to do. */
export async function askAfterCrashes(
  window: BrowserWindow | null,
  what: string,
): Promise<'reload' | 'safe_mode' | 'nothing'> {
  const options = {
    type: 'warning' as const,
    message: `${what} has crashed several times.`,
    detail:
      'Runs are not touched by it: they go on, and nothing is lost. In safe mode the window is drawn without the graphics processor.',
    buttons: ['Try Again', 'Restart in Safe Mode', 'Leave It'],
    defaultId: 0,
    cancelId: 2,
    noLink: true,
  };
  const { response } = await (window === null
    ? dialog.showMessageBox(options)
    : dialog.showMessageBox(window, options));
  return response === 0 ? 'reload' : response === 1 ? 'safe_mode' : 'nothing';
}
