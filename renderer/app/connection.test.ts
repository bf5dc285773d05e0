import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** A page at an address, whose core hears keys and opens lines for the one that it knows. */
function aPage(hash: string, known: string) {
  const heard: string[] = [];
  const sockets: Socket[] = [];
  const core = { known, session: '', away: false };
  const page = Object.assign(new EventTarget(), {
    location: { hash, pathname: '/', search: '', protocol: 'http:', host: '127.0.0.1:7' },
  });
  class Socket extends EventTarget {
    constructor() {
      super();
      sockets.push(this);
      queueMicrotask(() => this.dispatchEvent(new Event(!core.away && core.session === core.known ? 'open' : 'close')));
    }
    close(): void {
      this.dispatchEvent(new Event('close'));
    }
    send(): void {}
  }
  const fetch = async (path: string, init: { body?: string }): Promise<{ status: number }> => {
    if (core.away) throw new TypeError('Failed to fetch');
    if (path === '/session') {
      const { token } = JSON.parse(init.body ?? '') as { token: string };
      heard.push(token);
      if (token === core.known) core.session = token;
    }
    return { status: core.session === core.known ? 204 : 401 };
  };
  vi.stubGlobal('window', page);
  vi.stubGlobal('location', page.location);
  vi.stubGlobal('history', { replaceState: () => (page.location.hash = '') });
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('fetch', fetch);
  return {
    core,
    heard,
    sockets,
    page,
    openAddress: (next: string): void => {
      page.location.hash = next;
      page.dispatchEvent(new Event('hashchange'));
    },
  };
}

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

async function begin() {
  const connection = await import('./connection.ts');
  connection.startConnection();
  return {
    ...connection,
    until: (state: string) => vi.waitFor(() => expect(connection.useConnection.getState().state).toBe(state)),
  };
}

test('the address of a core that was started again, opened in the same page, signs in at once and leaves no key in it', async () => {
  const { core, heard, sockets, page, openAddress } = aPage('#token=one', 'one');
  const { until } = await begin();
  await until('open');
  core.known = 'two';
  sockets.at(-1)?.dispatchEvent(new Event('close'));
  await until('lost');
  await vi.advanceTimersByTimeAsync(300);
  await until('refused');
  openAddress('#token=two');
  expect(page.location.hash).toBe('');
  await until('open');
  expect(heard).toEqual(['one', 'two']);
});

test('a fragment that names no key is none', async () => {
  const { heard, page, openAddress } = aPage('#token=one', 'one');
  const { until } = await begin();
  await until('open');
  openAddress('#results');
  await vi.advanceTimersByTimeAsync(300);
  expect([page.location.hash, heard]).toEqual(['#results', ['one']]);
});

test('a key that the core did not hear is offered again by the next try, and Try now makes it', async () => {
  const { core, heard } = aPage('#token=one', 'one');
  core.away = true;
  const { until, retryNow } = await begin();
  await until('lost');
  core.away = false;
  retryNow();
  await until('open');
  expect(heard).toEqual(['one']);
});

test('while there is no line the clocks of runs stand still; with it they go on at the time of day', async () => {
  const { core, sockets } = aPage('#token=one', 'one');
  const { until } = await begin();
  const { knownNow } = await import('../shared/ticks.ts');
  await until('open');
  core.away = true;
  sockets.at(-1)?.dispatchEvent(new Event('close'));
  const then = knownNow();
  await vi.advanceTimersByTimeAsync(87_000);
  expect(knownNow()).toBe(then);
  core.away = false;
  await vi.advanceTimersByTimeAsync(6_000);
  await until('open');
  expect(knownNow()).toBeGreaterThanOrEqual(then + 87_000);
});
