import type { ApiClient } from '../../core/host/serve/local-connection.ts';
import type { CommandContext } from '../command-context.ts';
import type { CoreAccess } from '../core/cores.ts';
import { apiErrorOf } from '../core/api-failure.ts';
import { isLost } from '../core/lost-line.ts';

/** A core that goes down again and again is not followed for ever. */
const MAX_TRIES = 5;

/**
 * The conversation of one MCP connection. It begins with the first call, so that clients that never delegate leave no trace; the core is one in the
 * background, which goes on with what was begun. A core that goes is replaced by the next, which answers the same calls (P7).
 */
export class OutsideSession {
  readonly #context: CommandContext;
  readonly #path: string;
  readonly #clientName: () => string;
  #token: string;
  #access: Promise<CoreAccess> | null = null;
  #run: Promise<string> | null = null;
  #calls = 0;

  constructor(context: CommandContext, path: string, clientName: () => string) {
    this.#context = context;
    this.#path = path;
    this.#clientName = clientName;
    this.#token = context.random.hex(24);
  }

  /** The text of the delegate tool. Leaves no core up that nothing is at work in. */
  async describe(): Promise<string> {
    const { description } = await this.#use((client) => client.outside.describe());
    if (this.#run === null && this.#calls === 0) await this.#leaveCore();
    return description;
  }

  /** Carries out a call of the delegate tool. */
  async call(call_id: string, args: unknown): Promise<{ is_error: boolean; text: string }> {
    const isLook = (args as { action?: unknown } | undefined)?.action === 'list';
    // There is nothing to see yet, and a look is no reason to begin a conversation.
    if (isLook && this.#run === null) return { is_error: false, text: JSON.stringify({ count: 0, runs: [] }) };
    return this.#inRun((client, run_id) => client.outside.call({ run_id, call_id, arguments: args }));
  }

  /** Asks the people at Espalier; null when nobody answers. */
  async ask(key: string, title: string, detail: string): Promise<string | null> {
    const { answer } = await this.#inRun((client, run_id) => client.outside.ask({ run_id, key, title, detail }));
    return answer;
  }

  /** The client has gone. */
  async close(): Promise<void> {
    if (this.#run !== null && this.#access !== null) {
      const run_id = await this.#run.catch(() => null);
      const access = await this.#access.catch(() => null);
      // A core that cannot be told sees the connection close.
      if (run_id !== null) await access?.client.outside.leave({ run_id }).catch(() => undefined);
    }
    await this.#leaveCore();
  }

  async #leaveCore(): Promise<void> {
    const access = await this.#access?.catch(() => null);
    this.#access = null;
    await access?.close();
  }

  async #inRun<T>(make: (client: ApiClient, run_id: string) => Promise<T>): Promise<T> {
    this.#calls += 1;
    try {
      return await this.#use(async (client) => make(client, await this.#runOf(client)));
    } catch (error) {
      if (!(await this.#wasGivenUp(error))) throw error;
      // An earlier core took us for gone while there was none: this is a new conversation.
      this.#run = null;
      this.#token = this.#context.random.hex(24);
      return this.#use(async (client) => make(client, await this.#runOf(client)));
    } finally {
      this.#calls -= 1;
    }
  }

  /** Whether our run has ended without anybody stopping it. */
  async #wasGivenUp(error: unknown): Promise<boolean> {
    if (apiErrorOf(error)?.code !== 'already_ended' || this.#run === null) return false;
    const id = await this.#run;
    const { run } = await this.#use((client) => client.runs.show({ id }));
    return run.outcome === 'completed';
  }

  #runOf(client: ApiClient): Promise<string> {
    this.#run ??= this.#open(client).catch((error: unknown) => {
      this.#run = null;
      throw error;
    });
    return this.#run;
  }

  async #open(client: ApiClient): Promise<string> {
    const { project_id } = await client.projects.add({ path: this.#path });
    const name = this.#clientName();
    const { run_id } = await client.outside.open({ project_id, client: name, client_token: this.#token });
    this.#attend(client, run_id);
    return run_id;
  }

  /** As long as this call is open we are there; what comes of it each call says by itself. */
  #attend(client: ApiClient, run_id: string): void {
    client.outside.attend({ run_id }).catch(() => undefined);
  }

  async #use<T>(make: (client: ApiClient) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const opening = (this.#access ??= this.#join());
      try {
        return await make((await opening).client);
      } catch (error) {
        if (!isLost(error) || tries >= MAX_TRIES) throw error;
        if (this.#access === opening) this.#access = null;
        await (await opening).close();
      }
    }
  }

  async #join(): Promise<CoreAccess> {
    try {
      const access = await this.#context.cores.joinBackground();
      const run_id = await this.#run?.catch(() => null);
      if (run_id != null) this.#attend(access.client, run_id);
      return access;
    } catch (error) {
      this.#access = null;
      throw error;
    }
  }
}
