import { dialog } from 'electron';
import {
  mayInstall,
  updateNotice,
  updateQuestion,
  type UpdateFinding,
  type UpdateState,
} from '../core/host/desktop/updates.ts';
import type { WorkNow } from '../core/protocol/desktop.ts';
import { showNotification } from './notifier.ts';
import type { Updater } from './updater.ts';

export interface UpdatesParts {
  readonly updater: Updater | null;
  work(): Promise<WorkNow>;
  /** The menu is another one. */
  changed(): void;
  /** Ends the app without a question; `install` then puts the new version in place. */
  quit(options: { readonly endAll: boolean; readonly install: () => void }): void;
}

/** Newer versions of the app: looked for, fetched, and put in place when no work is lost by it. What is asked and told is decided in the core. */
export class Updates {
  readonly #parts: UpdatesParts;
  #state: UpdateState;
  #atWork = 0;

  constructor(parts: UpdatesParts) {
    this.#parts = parts;
    this.#state = { type: parts.updater === null ? 'off' : 'idle' };
  }

  get state(): UpdateState {
    return this.#state;
  }

  /** Looks for a newer version and fetches it. `asked`: by the person, who is told also that there is none. */
  async check(asked: boolean): Promise<void> {
    const { updater } = this.#parts;
    if (updater === null || this.#state.type !== 'idle') return;
    this.#become({ type: 'checking' });
    const finding = await this.#look(updater);
    this.#become(finding.type === 'ready' ? { ...finding, waits: false } : { type: 'idle' });
    const notice = updateNotice(finding, asked);
    if (notice !== null) showNotification(notice.title, notice.body, () => void this.restart());
  }

  /** The person wants the newer version. */
  async restart(): Promise<void> {
    if (this.#state.type !== 'ready') return;
    const question = updateQuestion(this.#state.version, await this.#parts.work());
    if (question === null) return this.#install(false);
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: question.message,
      detail: question.detail,
      buttons: question.buttons.map(({ label }) => label),
      defaultId: 0,
      cancelId: question.buttons.findIndex(({ choice }) => choice === 'later'),
      noLink: true,
    });
    const choice = question.buttons[response]?.choice;
    if (choice === 'stop_all') return this.#install(true);
    this.#become({ ...this.#state, waits: choice === 'wait' });
    this.workChanged(this.#atWork);
  }

  /** So many runs have a worker now. */
  workChanged(atWork: number): void {
    this.#atWork = atWork;
    if (mayInstall(this.#state, 'work_changed', atWork)) this.#install(false);
  }

  /** The app has quit with so much at work; answers whether the new version was put in place, which ends the app. */
  installAtQuit(atWork: number): boolean {
    if (!mayInstall(this.#state, 'quits', atWork)) return false;
    this.#parts.updater?.install({ restart: false });
    return true;
  }

  async #look(updater: Updater): Promise<UpdateFinding> {
    try {
      const version = await updater.check();
      if (version === null) return { type: 'newest' };
      this.#become({ type: 'loading', version });
      await updater.load();
      return { type: 'ready', version, atWork: this.#atWork };
    } catch (error) {
      return { type: 'failed', why: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) };
    }
  }

  #install(endAll: boolean): void {
    this.#parts.quit({ endAll, install: () => this.#parts.updater?.install({ restart: true }) });
  }

  #become(state: UpdateState): void {
    this.#state = state;
    this.#parts.changed();
  }
}
