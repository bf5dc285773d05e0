import { powerMonitor, powerSaveBlocker } from 'electron';

/** Keeps the machine awake while something is at work; the display may go dark all the same. */
export class KeepAwake {
  #blocker: number | null = null;

  set(awake: boolean): void {
    if (awake && this.#blocker === null) this.#blocker = powerSaveBlocker.start('prevent-app-suspension');
    else if (!awake && this.#blocker !== null) {
      powerSaveBlocker.stop(this.#blocker);
      this.#blocker = null;
    }
  }
}

export interface PowerListener {
  suspended(): void;
  resumed(): void;
  /** The machine goes down: nobody is asked anything any more. */
  shutsDown(): void;
}

export function listenToPower(listener: PowerListener): void {
  powerMonitor.on('suspend', () => listener.suspended());
  powerMonitor.on('resume', () => listener.resumed());
  powerMonitor.on('shutdown', () => listener.shutsDown());
}
