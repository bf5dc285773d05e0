import type { ClientLink } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import { create } from 'zustand';
import { bridge, PORT_MESSAGE } from '../shared/bridge.ts';
import { holdKnown } from '../shared/ticks.ts';

type Link = ClientLink<Record<never, never>>;

/** Where the line to the core stands. `refused`: the core does not know this page's key. */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'refused' | 'behind';

interface Connection {
  readonly state: ConnectionState;
  /** Counts the lines opened: a new number means that subscriptions must be made again. */
  readonly line: number;
}

/** How the line stands; the frame shows it. */
export const useConnection = create<Connection>(() => ({ state: 'connecting', line: 0 }));

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;

/** Milliseconds before try number `tries` (from 0): doubling up to five seconds. */
export function retryWait(tries: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
}

let current: Link | null = null;
let waiters: ((link: Link) => void)[] = [];
let tries = 0;
let timer: ReturnType<typeof setTimeout> | null = null;

function opened(link: Link): void {
  current = link;
  tries = 0;
  const waiting = waiters;
  waiters = [];
  for (const resolve of waiting) resolve(link);
  useConnection.setState(({ line }) => ({ state: 'open', line: line + 1 }));
}

function lost(state: ConnectionState = 'lost'): void {
  current = null;
  useConnection.setState({ state });
  timer = setTimeout(connect, retryWait(tries));
  tries += 1;
}

/** The link of the open line; waits for one while there is none, so that calls outlive a reconnect. */
export async function openLink(): Promise<Link> {
  return current ?? new Promise((resolve) => waiters.push(resolve));
}

/** A key of the core that was found in the address and is not yet traded for a session. */
let token: string | null = null;

/** Takes the key out of the address, where nobody is to find it later. Answers whether there was one. */
function takeToken(): boolean {
  const found = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  if (found === '') return false;
  token = found;
  history.replaceState(null, '', location.pathname + location.search);
  return true;
}

/** Trades the key for a session cookie (DESIGN, API). One that the core did not hear is kept for the next try. */
async function takeSession(): Promise<void> {
  const offered = token;
  if (offered === null) return;
  await fetch('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: offered }),
  });
  if (token === offered) token = null;
}

/** A socket that never opened says nothing about why; a plain request does. */
async function whyNoSocket(): Promise<ConnectionState> {
  try {
    const answer = await fetch('/rpc', { method: 'GET', cache: 'no-store' });
    return answer.status === 401 ? 'refused' : 'lost';
  } catch {
    return 'lost';
  }
}

/** Counts the tries: what becomes of one that another has taken the place of says nothing any more. */
let attempts = 0;

async function connectSocket(): Promise<void> {
  attempts += 1;
  const mine = attempts;
  const isMine = (): boolean => mine === attempts;
  try {
    await takeSession();
  } catch {
    if (isMine()) lost();
    return;
  }
  if (isMine()) openSocket(isMine);
}

function openSocket(isMine: () => boolean): void {
  const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/rpc`);
  let wasOpen = false;
  socket.addEventListener('open', () => {
    if (!isMine()) {
      socket.close();
      return;
    }
    wasOpen = true;
    opened(new SocketLink({ websocket: socket }));
  });
  socket.addEventListener('close', () => {
    if (!isMine()) return;
    if (wasOpen) lost();
    else
      void whyNoSocket().then((why) => {
        if (isMine()) lost(why);
      });
  });
}

function connectPort(ask: () => void): void {
  const onMessage = (event: MessageEvent): void => {
    const port = event.ports[0];
    if (event.source !== window || event.data !== PORT_MESSAGE || port === undefined) return;
    window.removeEventListener('message', onMessage);
    port.addEventListener('close', () => {
      lost();
    });
    port.start();
    opened(new PortLink({ port }));
  };
  window.addEventListener('message', onMessage);
  ask();
}

function connect(): void {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  const desktop = bridge();
  if (desktop === null) void connectSocket();
  else
    connectPort(() => {
      desktop.port();
    });
}

/** Tries again now instead of after the wait, or of a try that gets no answer. */
export function retryNow(): void {
  if (timer !== null || (bridge() === null && current === null)) connect();
}

/** The address of a core that was started again was opened in this page: only its fragment is another. */
function onAddress(): void {
  if (!takeToken()) return;
  tries = 0;
  if (current === null) connect();
  else
    takeSession().catch(() => {
      // The line that fails with it tries again, with the key.
    });
}

/** Says that core and page cannot talk (other protocol version); nothing is tried any more. */
export function giveUp(): void {
  useConnection.setState({ state: 'behind' });
}

/** Opens the line to the core; called once. */
export function startConnection(): void {
  // Without a line nobody knows how long anything has gone on.
  useConnection.subscribe(({ state }) => {
    holdKnown(state !== 'open');
  });
  if (bridge() === null) {
    takeToken();
    window.addEventListener('hashchange', onAddress);
  }
  connect();
}
