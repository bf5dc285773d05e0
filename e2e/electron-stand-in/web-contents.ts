import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from '@playwright/test';
import { BINDING, pageScript, RECEIVER, type MainMessage, type PageMessage, type Portable } from './page-script.ts';

/** What Chromium takes for a secure origin, and never asks anybody for. */
export const PAGE_ORIGIN = 'https://espalier.invalid';
const APP_ORIGIN = 'app://espalier';

/** The address that an address of the browser stands for. */
export const standsFor = (url: string): string =>
  url.startsWith(`${PAGE_ORIGIN}/`) ? APP_ORIGIN + url.slice(PAGE_ORIGIN.length) : url;
const addressOf = (url: string): string =>
  url.startsWith(`${APP_ORIGIN}/`) ? PAGE_ORIGIN + url.slice(APP_ORIGIN.length) : url;

/** One end of a channel between main and a page. */
export class Port extends EventEmitter {
  static #count = 0;
  readonly id = (Port.#count += 1);
  /** Where what is posted goes. */
  deliver: (message: MainMessage) => void = () => undefined;
  #started = false;
  #early: unknown[] = [];

  postMessage(data: unknown): void {
    const packed =
      typeof data === 'string' ? { text: data } : { bytes: Buffer.from(data as Uint8Array).toString('base64') };
    this.deliver({ type: 'port', port: this.id, data: packed });
  }

  start(): void {
    this.#started = true;
    for (const data of this.#early.splice(0)) this.emit('message', { data, ports: [] });
  }

  close(): void {
    this.deliver({ type: 'port_closed', port: this.id });
    this.emit('close');
  }

  receive(data: Portable): void {
    const value = 'text' in data ? data.text : new Uint8Array(Buffer.from(data.bytes, 'base64'));
    if (this.#started) this.emit('message', { data: value, ports: [] });
    else this.#early.push(value);
  }
}

type Handler = (event: unknown, ...args: unknown[]) => unknown;

/** `ipcMain`: what pages send, and what they wait for. */
export class Ipc extends EventEmitter {
  readonly handlers = new Map<string, Handler>();

  handle(channel: string, handler: Handler): void {
    this.handlers.set(channel, handler);
  }
}

interface Handlers {
  request: ((contents: unknown, permission: string, answer: (granted: boolean) => void) => void) | null;
  check: ((contents: unknown, permission: string) => boolean) | null;
  open: ((details: { url: string }) => { action: string }) | null;
}

/** The contents of a window: a page of Chromium with the preload before it. */
export class Contents extends EventEmitter {
  static #count = 0;
  readonly id = (Contents.#count += 1);
  /** What main has set to decide what a page may. */
  readonly handlers: Handlers = { request: null, check: null, open: null };
  readonly session = {
    setPermissionRequestHandler: (handler: Handlers['request']): void => void (this.handlers.request = handler),
    setPermissionCheckHandler: (handler: Handlers['check']): void => void (this.handlers.check = handler),
  };
  readonly mainFrame: {
    readonly url: string;
    readonly parent: null;
    postMessage: (channel: string, message: unknown, ports: { peer: Port }[]) => void;
  };
  page: Page | null = null;
  url = '';
  readonly #ipc: Ipc;
  readonly #ports = new Map<number, Port>();
  #queue: MainMessage[] = [];

  constructor(ipc: Ipc) {
    super();
    this.#ipc = ipc;
    const url = (): string => standsFor(this.page?.url() ?? this.url);
    this.mainFrame = {
      get url() {
        return url();
      },
      parent: null,
      postMessage: (channel, message, ports) => this.#handOver(channel, message, ports),
    };
  }

  async load(context: BrowserContext, url: string, preload: string | null): Promise<void> {
    this.url = url;
    const page = await context.newPage();
    this.page = page;
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.#begin();
    });
    if (preload !== null) {
      await page.exposeBinding(BINDING, (_source, batch: PageMessage[]) => this.#receive(batch));
      await page.addInitScript({ content: pageScript(readFileSync(preload, 'utf8')) });
    }
    await page.goto(addressOf(url));
    this.emit('ready');
  }

  /** A page that is loaded anew has lost its ports. */
  #begin(): void {
    this.emit('did-start-loading');
    for (const port of this.#ports.values()) port.emit('close');
    this.#ports.clear();
  }

  setWindowOpenHandler(handler: Handlers['open']): void {
    this.handlers.open = handler;
  }

  send(channel: string, ...args: unknown[]): void {
    this.#post({ type: 'send', channel, args, ports: [] });
  }

  reload(): void {
    void this.page?.reload();
  }

  #handOver(channel: string, message: unknown, ports: { peer: Port }[]): void {
    for (const { peer } of ports) {
      this.#ports.set(peer.id, peer);
      peer.deliver = (said) => this.#post(said);
    }
    this.#post({ type: 'send', channel, args: [message], ports: ports.map(({ peer }) => peer.id) });
  }

  #post(message: MainMessage): void {
    this.#queue.push(message);
    if (this.#queue.length > 1) return;
    setImmediate(() => {
      const batch = this.#queue;
      this.#queue = [];
      const told = this.page?.evaluate(
        ([receiver, messages]) =>
          (window as unknown as Record<string, (all: unknown) => void>)[receiver as string]?.(messages),
        [RECEIVER, batch] as const,
      );
      // A page that is gone hears nothing; its ports have told so.
      told?.catch(() => undefined);
    });
  }

  async #receive(batch: readonly PageMessage[]): Promise<void> {
    const event = { sender: this, senderFrame: this.mainFrame };
    for (const message of batch) {
      if (message.type === 'port') this.#ports.get(message.port)?.receive(message.data);
      else if (message.type === 'send') this.#ipc.emit(message.channel, event, ...message.args);
      else {
        const value = await this.#ipc.handlers.get(message.channel)?.(event, ...message.args);
        this.#post({ type: 'answer', id: message.id, value });
      }
    }
  }
}
