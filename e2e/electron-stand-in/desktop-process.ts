import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { connectLocal } from '../../core/host/serve/connect-local.ts';
import type { LocalConnection } from '../../core/host/serve/local-connection.ts';
import { poll } from '../fixtures/poll.ts';
import type { TestPlace } from '../fixtures/test-place.ts';
import type { Order, Seen } from './seen.ts';
import { PAGE_ORIGIN } from './web-contents.ts';

const START_MS = 90_000;

/** The desktop app in the stand-in, as a process of its own, with its window as a page and a client of its core. */
export class DesktopProcess {
  readonly page: Page;
  readonly client: LocalConnection['client'];
  readonly #child: ChildProcess;
  readonly #browser: Browser;
  readonly #connection: LocalConnection;
  readonly #exited: Promise<unknown>;
  #count = 0;
  /** What was to be seen when it ended. */
  last: Seen | null = null;

  private constructor(
    child: ChildProcess,
    exited: Promise<unknown>,
    browser: Browser,
    page: Page,
    connection: LocalConnection,
  ) {
    this.#child = child;
    this.#exited = exited;
    this.#browser = browser;
    this.page = page;
    this.#connection = connection;
    this.client = connection.client;
    child.on('message', (message: { last?: Seen }) => (this.last = message.last ?? this.last));
  }

  /** The pages of all windows, in the order in which they opened. */
  get pages(): Page[] {
    return (this.#browser.contexts()[0]?.pages() ?? []).filter((page) => page.url().startsWith(PAGE_ORIGIN));
  }

  static async start(
    place: TestPlace,
    { args = [], more = {} }: { args?: readonly string[]; more?: Readonly<Record<string, string>> } = {},
  ): Promise<DesktopProcess> {
    const env = {
      PATH: process.env['PATH'] ?? '',
      LANG: 'en_US.UTF-8',
      HOME: place.userHome,
      SHELL: '/bin/sh',
      ESPALIER_HOME: place.dataFolder,
      ...(process.env['ESPALIER_CHROMIUM'] === undefined
        ? {}
        : { ESPALIER_CHROMIUM: process.env['ESPALIER_CHROMIUM'] }),
      ...more,
    };
    const child = fork(join(import.meta.dirname, 'main-process.ts'), [...args], { env, execArgv: ['--no-warnings'] });
    const exited = once(child, 'exit');
    try {
      const [{ profile }] = (await once(child, 'message')) as [{ profile: string }];
      const port = await waitFor('the debugging port', () => readPort(join(profile, 'DevToolsActivePort')));
      const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
      const page = await waitFor(
        'the window',
        () =>
          browser
            .contexts()[0]
            ?.pages()
            .find((one) => one.url().startsWith(PAGE_ORIGIN)) ?? null,
      );
      const connected = await connectLocal(place.dataFolder, 'test');
      if (!connected.ok) throw new Error(connected.error.message);
      return new DesktopProcess(child, exited, browser, page, connected.value);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  /** Does something as person or system; answers what is to be seen then. */
  async do(order: Order): Promise<Seen> {
    const id = (this.#count += 1);
    const answered = new Promise<Seen>((resolve, reject) => {
      const hear = (message: { id?: number; seen?: Seen; error?: string }): void => {
        if (message.id !== id) return;
        this.#child.off('message', hear);
        if (message.seen === undefined) reject(new Error(message.error));
        else resolve(message.seen);
      };
      this.#child.on('message', hear);
    });
    this.#child.send({ id, order });
    return answered;
  }

  seen(): Promise<Seen> {
    return this.do({ type: 'seen' });
  }

  /** Stops all that is alive, as a person would. */
  async stopEverything(): Promise<void> {
    const conversations = await this.client.conversations.list({ all: true });
    const alive = conversations.filter(({ ended, runs }) => ended < runs);
    await Promise.all(alive.map(({ conversation_id }) => this.client.runs.stop({ id: conversation_id })));
  }

  /** Waits until it has ended by itself; answers its status. */
  async ended(): Promise<number | null> {
    await this.#exited;
    return this.#child.exitCode;
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Quits without work, as from the menu. */
  async end(): Promise<void> {
    this.#connection.close();
    if (this.isAlive) {
      const late = setTimeout(() => this.#child.kill('SIGKILL'), 60_000);
      this.#child.send({ id: 0, order: { type: 'quit' } });
      await this.#exited;
      clearTimeout(late);
    }
    await this.#browser.close();
    if (this.#child.exitCode !== 0)
      throw new Error(`the desktop ended with ${this.#child.exitCode ?? this.#child.signalCode}`);
  }
}

function readPort(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').split('\n')[0] ?? null;
  } catch {
    return null; // Not written yet.
  }
}

async function waitFor<T>(what: string, look: () => T | null): Promise<T> {
  let found: T | null = null;
  if (!(await poll(() => (found = look()) !== null, START_MS)) || found === null)
    throw new Error(`${what} did not come`);
  return found;
}
