import { create } from 'zustand';
import type { Entry } from '../../core/protocol/entry.ts';
import type { FeedMessage, Scope } from '../../core/protocol/feed.ts';
import { PROTOCOL_VERSION } from '../../core/protocol/version.ts';
import { clientName } from '../shared/client-name.ts';
import { api, core, queryClient } from './client.ts';
import { giveUp, retryWait, useConnection } from './connection.ts';
import { addPage, applyFeed, EMPTY_LIVE, leaveScope, type LiveState } from './live-state.ts';

/**
 * The live store: the one file where what the core says reaches the page. Components read it through `live-rows.ts`.
 */
export const useLive = create<LiveState>(() => EMPTY_LIVE);

/** Messages that have arrived and wait for the next frame: one commit of React a frame, however fast they come. */
let arrived: FeedMessage[] = [];
let frame: number | null = null;

function commit(): void {
  frame = null;
  const messages = arrived;
  arrived = [];
  const before = useLive.getState().projects;
  useLive.setState((state) => applyFeed(state, messages), true);
  const { subscription, rev, projects } = useLive.getState();
  if (projects !== before) projectsChanged();
  if (subscription === null) return;
  // What was opened while the subscription was under way.
  if (messages.some(({ type }) => type === 'hello')) tellScopes();
  // A lost acknowledgement is made good by the next; a lost line by a new subscription.
  core.live.ack({ subscription_id: subscription, rev }).catch(() => undefined);
}

/** What a project brings, and whether it is trusted, decides which agents and skills there are. */
function projectsChanged(): void {
  for (const queryKey of [api.agents.key(), api.skills.key()]) void queryClient.invalidateQueries({ queryKey });
}

/** A page that is not shown gets no frames, but must go on acknowledging. */
const HIDDEN_MS = 250;

function receive(message: FeedMessage): void {
  arrived.push(message);
  if (frame !== null) return;
  frame = document.hidden ? window.setTimeout(commit, HIDDEN_MS) : requestAnimationFrame(commit);
}

const scopeKey = (scope: Scope): string => JSON.stringify(scope);
const open = new Map<string, { readonly scope: Scope; users: number }>();
/** What a subscription was told last. One that has gone says nothing of the next, though it stands in the store until that has begun. */
let told = { subscription: '', scopes: '' };

function scopes(): Scope[] {
  return [{ type: 'app' }, ...[...open.values()].map(({ scope }) => scope)];
}

let telling = false;

/** Tells the core what is looked at, once per turn of the loop, however many scopes open and close in it. */
function tellScopes(): void {
  if (telling) return;
  telling = true;
  queueMicrotask(() => {
    telling = false;
    const { subscription } = useLive.getState();
    const now = JSON.stringify(scopes());
    if (subscription === null || (told.subscription === subscription && told.scopes === now)) return;
    told = { subscription, scopes: now };
    // The line is gone: the next subscription names its scopes itself.
    core.live.scopes({ subscription_id: subscription, scopes: scopes() }).catch(() => undefined);
  });
}

/** Keeps a scope in the store for as long as somebody looks at it. The answer lets it go; call it once. */
export function watchScope(scope: Scope): () => void {
  const key = scopeKey(scope);
  const entry = open.get(key) ?? { scope, users: 0 };
  entry.users += 1;
  open.set(key, entry);
  tellScopes();
  return () => {
    entry.users -= 1;
    // A view that is only drawn anew takes the scope again in the same turn.
    queueMicrotask(() => {
      if (entry.users > 0 || open.get(key) !== entry) return;
      open.delete(key);
      useLive.setState((state) => leaveScope(state, scope), true);
      tellScopes();
    });
  };
}

/** Fetches entries of a watched transcript that the tail did not bring. At most 1,000 at once. */
export async function loadEntries(runId: string, from: number, limit: number): Promise<readonly Entry[]> {
  const page = await core.transcript.page({ run_id: runId, from, limit });
  useLive.setState((state) => addPage(state, runId, page.entries, page.entry_count), true);
  return page.entries;
}

async function subscribe(): Promise<void> {
  const hello = await core.app.hello({ protocol: PROTOCOL_VERSION, client: clientName() });
  if (hello.protocol !== PROTOCOL_VERSION) {
    giveUp();
    return;
  }
  const named = scopes();
  const feed = await core.live.subscribe({ client: clientName(), can_answer: true, scopes: named });
  for await (const message of feed) {
    if (message.type === 'hello') told = { subscription: message.subscription_id, scopes: JSON.stringify(named) };
    receive(message);
  }
}

/** Keeps a subscription for as long as this line is the open one; what is on screen stays until the new snapshot. */
async function follow(line: number): Promise<void> {
  const isCurrent = (): boolean => {
    const connection = useConnection.getState();
    return connection.state === 'open' && connection.line === line;
  };
  for (let tries = 0; isCurrent(); tries += 1) {
    try {
      await subscribe();
    } catch (error) {
      // A line that broke is not ours to report: the connection shows it.
      if (isCurrent()) console.error(error);
    }
    await new Promise((resolve) => setTimeout(resolve, retryWait(tries)));
  }
}

/** Subscribes now, and again with every new line to the core. */
export function startLive(): void {
  let line = 0;
  const onLine = (): void => {
    const connection = useConnection.getState();
    if (connection.state !== 'open' || connection.line === line) return;
    line = connection.line;
    void follow(line);
  };
  useConnection.subscribe(onLine);
  onLine();
}
