/** What the page's side of the stand-in and its main exchange. */
export type PageMessage =
  | { readonly type: 'send'; readonly channel: string; readonly args: readonly unknown[] }
  | { readonly type: 'invoke'; readonly id: number; readonly channel: string; readonly args: readonly unknown[] }
  | { readonly type: 'port'; readonly port: number; readonly data: Portable };

export type MainMessage =
  | {
      readonly type: 'send';
      readonly channel: string;
      readonly args: readonly unknown[];
      readonly ports: readonly number[];
    }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'port'; readonly port: number; readonly data: Portable }
  | { readonly type: 'port_closed'; readonly port: number };

/** What goes over a port: a text, or bytes as base64. */
export type Portable = { readonly text: string } | { readonly bytes: string };

export const BINDING = '__standInToMain';
export const RECEIVER = '__standInFromMain';

/** The script that stands before each page: the preload, with a `require` that knows `electron` alone. */
export function pageScript(preload: string): string {
  return `(${prepare.toString()})(${JSON.stringify(BINDING)}, ${JSON.stringify(RECEIVER)}, (require, module, exports) => {\n${preload}\n});`;
}

/** Runs in the page; may use nothing of this file. */
function prepare(
  binding: string,
  receiver: string,
  preload: (require: unknown, module: unknown, exports: unknown) => void,
): void {
  if (window !== window.top) return;
  const listeners = new Map<string, ((event: unknown, ...args: unknown[]) => void)[]>();
  const answers = new Map<number, (value: unknown) => void>();
  const ports = new Map<number, MessagePort>();
  /** The page's ends: handed to the preload, and then seen on their way to the page. */
  const underWay: number[] = [];
  const handedOver = new Map<number, MessagePort>();
  let queue: unknown[] = [];
  let count = 0;
  const post = (message: unknown): void => {
    queue.push(message);
    if (queue.length > 1) return;
    queueMicrotask(() => {
      const batch = queue;
      queue = [];
      void (window as unknown as Record<string, (batch: unknown[]) => void>)[binding]?.(batch);
    });
  };
  const pack = (data: unknown): unknown => {
    if (typeof data === 'string') return { text: data };
    const bytes = new Uint8Array(data as ArrayBuffer);
    let binary = '';
    for (const byte of bytes) binary += String.fromCharCode(byte);
    return { bytes: btoa(binary) };
  };
  const unpack = (data: { text?: string; bytes?: string }): unknown =>
    data.text ?? Uint8Array.from(atob(data.bytes ?? ''), (character) => character.charCodeAt(0));
  const openPort = (id: number): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = (event) => post({ type: 'port', port: id, data: pack(event.data) });
    ports.set(id, port1);
    underWay.push(id);
    return port2;
  };
  // Electron tells a page that main has closed the other end, which the web's own ports do not.
  window.addEventListener('message', (event) => {
    for (const port of event.ports) {
      const id = underWay.shift();
      if (id !== undefined) handedOver.set(id, port);
    }
  });
  const portClosed = (id: number): void => {
    ports.get(id)?.close();
    handedOver.get(id)?.dispatchEvent(new Event('close'));
    handedOver.delete(id);
  };
  (window as unknown as Record<string, unknown>)[receiver] = (batch: Record<string, never>[]): void => {
    for (const message of batch as unknown as { type: string; [key: string]: unknown }[]) {
      if (message.type === 'send') {
        const event = { ports: (message['ports'] as number[]).map(openPort) };
        for (const listener of listeners.get(message['channel'] as string) ?? [])
          listener(event, ...(message['args'] as unknown[]));
      } else if (message.type === 'answer') {
        answers.get(message['id'] as number)?.(message['value']);
        answers.delete(message['id'] as number);
      } else if (message.type === 'port')
        ports.get(message['port'] as number)?.postMessage(unpack(message['data'] as { text: string }));
      else portClosed(message['port'] as number);
    }
  };
  const paths = new Map<string, string>();
  (window as unknown as Record<string, unknown>)['__standInPaths'] = paths;
  const electron = {
    contextBridge: {
      exposeInMainWorld: (name: string, api: object) => {
        Object.defineProperty(window, name, { value: Object.freeze(api) });
      },
    },
    ipcRenderer: {
      on: (channel: string, listener: (event: unknown) => void) =>
        listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
      send: (channel: string, ...args: unknown[]) => post({ type: 'send', channel, args }),
      invoke: (channel: string, ...args: unknown[]) =>
        new Promise((resolve) => {
          answers.set((count += 1), resolve);
          post({ type: 'invoke', id: count, channel, args });
        }),
    },
    webUtils: { getPathForFile: (file: File) => paths.get(file.name) ?? '' },
  };
  const module = { exports: {} };
  preload(
    (name: string) => {
      if (name !== 'electron') throw new Error(`a sandboxed preload cannot load ${name}`);
      return electron;
    },
    module,
    module.exports,
  );
}
