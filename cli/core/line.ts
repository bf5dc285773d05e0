import type { CommandContext } from '../command-context.ts';
import { EXIT } from '../exit-status.ts';
import type { ApiClient } from '../../core/host/serve/local-connection.ts';
import type { CoreAccess, OpenOptions } from './cores.ts';
import { Failure } from './failure.ts';
import { isLost } from './lost-line.ts';
import { tellingWaits } from './storage-waits.ts';

/** A core that goes down again and again is not followed for ever. */
const MAX_REOPENS = 5;

/** A core across its restarts: when it goes, the next one is joined, or hosted here, and takes the work up (D5). */
export class CoreLine {
  readonly #context: CommandContext;
  readonly #how: OpenOptions;
  #access: CoreAccess;
  #reopened = 0;

  private constructor(context: CommandContext, how: OpenOptions, access: CoreAccess) {
    this.#context = context;
    this.#how = how;
    this.#access = access;
  }

  /** Opens the line; `background` makes sure that the core outlives this command. */
  static async open(context: CommandContext, how: OpenOptions, background = false): Promise<CoreLine> {
    const { cores } = context;
    return new CoreLine(context, how, await (background ? cores.joinBackground() : cores.open(how)));
  }

  get access(): CoreAccess {
    return this.#access;
  }

  /** Calls the core; a call whose line breaks is made again to the next core. Only for what may be sent twice (S7). */
  async call<T>(make: (client: ApiClient) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const { client } = this.#access;
        return await tellingWaits(this.#context, client, make(client));
      } catch (error) {
        if (!isLost(error)) throw error;
        await this.reopen();
      }
    }
  }

  /** The core is gone: finds the next one. */
  async reopen(): Promise<void> {
    this.#reopened += 1;
    if (this.#reopened > MAX_REOPENS) throw new Failure(EXIT.environment, 'The core ended again and again.');
    this.#context.terminal.note('The core has gone; taking up the work again…');
    await this.#access.close();
    this.#access = await this.#context.cores.open(this.#how);
  }

  /** Leaves the core. What is at work on one hosted here goes on under a core in the background. */
  async close(): Promise<void> {
    const { hosted } = this.#access;
    const handOver = hosted !== null && hosted.atWork() > 0;
    await this.#access.close();
    if (handOver) this.#context.cores.leaveToBackground();
  }
}
