import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { ToModel, ToParent } from './model-messages.ts';

/** The instant scripted model, in its own process. */
export class ModelServer {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.url = url;
  }

  static async start(): Promise<ModelServer> {
    const child = fork(new URL('./model-program.ts', import.meta.url), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const [message] = (await once(child, 'message')) as [ToParent];
    if (message.type !== 'ready') throw new Error('the model did not start');
    return new ModelServer(child, message.url);
  }

  /** Resolves when so many replies are held at the gate. */
  async held(count: number): Promise<void> {
    const waiting = once(this.#process, 'message');
    this.#send({ type: 'await', count });
    await waiting;
  }

  /** Lets so many held replies through. */
  release(count: number): void {
    this.#send({ type: 'release', count });
  }

  /** How many requests it has had. */
  async asked(): Promise<number> {
    const heard = once(this.#process, 'message');
    this.#send({ type: 'count' });
    const [message] = (await heard) as [ToParent];
    return message.type === 'asked' ? message.count : 0;
  }

  async close(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.disconnect();
    await exited;
  }

  #send(message: ToModel): void {
    this.#process.send(message);
  }
}
