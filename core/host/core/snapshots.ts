import { byLastChange, byOpening } from '../../protocol/order.ts';
import type { AppRow, ConversationRow, AskRow, RunRow } from '../../protocol/rows.ts';
import type { Scope, Snapshot } from '../../protocol/feed.ts';
import { countEntries, readEntries } from '../../registry/store/entries.ts';
import { readAttentionRuns, readConversations, readOpenAsks } from '../../registry/store/read-rows.ts';
import { needsAttention } from '../live/routing.ts';
import { locate } from './locate.ts';
import type { Projects } from './projects.ts';
import { ifReadable } from './storage-failure.ts';
import type { ProjectEngine } from '../engine/project-engine.ts';

// Enough to fill a tall window; earlier entries come by page.
const TRANSCRIPT_TAIL = 200;

/** A snapshot of a scope in which nothing is. */
export function emptySnapshot(scope: Scope): Snapshot {
  return {
    scope,
    app: null,
    projects: [],
    conversations: [],
    sets: [],
    runs: [],
    asks: [],
    steers: [],
    entries: [],
    entry_count: 0,
  };
}

/** All conversations of all projects, the latest first. */
export async function allConversations(projects: Projects): Promise<ConversationRow[]> {
  const engines = await projects.openSoon();
  return engines.flatMap((engine) => conversationsOf(engine)).sort(byLastChange);
}

/** The conversations of a project; those in memory are the newer ones. */
function conversationsOf(engine: ProjectEngine): ConversationRow[] {
  const rows = ifReadable(() => readConversations(engine.db)) ?? [];
  return rows.map((row) => engine.loaded(row.conversation_id)?.conversation ?? row);
}

/** Open permissions and questions of the whole app, the oldest first. */
export async function allOpenAsks(projects: Projects): Promise<AskRow[]> {
  const engines = await projects.openSoon();
  return engines.flatMap((engine) => ifReadable(() => readOpenAsks(engine.db)) ?? []).sort(byOpening);
}

/** Everything of one scope as it is committed now. */
export async function makeSnapshot(scope: Scope, projects: Projects, app: () => AppRow): Promise<Snapshot> {
  switch (scope.type) {
    case 'app':
      return appSnapshot(scope, projects, app);
    case 'conversation':
      return conversationSnapshot(scope, projects);
    case 'transcript':
      return transcriptSnapshot(scope, projects);
  }
}

async function appSnapshot(scope: Scope, projects: Projects, app: () => AppRow): Promise<Snapshot> {
  const conversations = await allConversations(projects);
  const runs: RunRow[] = [];
  for (const conversation of conversations) {
    if (conversation.needs_you === 0 && conversation.unseen_failures === 0) continue;
    const engine = await projects.engine(conversation.project_id);
    if (engine.ok) runs.push(...attentionRuns(engine.value, conversation.conversation_id));
  }
  return {
    ...emptySnapshot(scope),
    app: app(),
    projects: projects.list(),
    conversations,
    runs,
    asks: await allOpenAsks(projects),
  };
}

/** Read by themselves when the conversation is not in memory: those with a failure that nobody looked at are many, and stay many. */
function attentionRuns(engine: ProjectEngine, conversationId: string): RunRow[] {
  const tree = engine.loaded(conversationId);
  const runs = tree?.runs.values() ?? ifReadable(() => readAttentionRuns(engine.db, conversationId)) ?? [];
  return [...runs].filter(needsAttention);
}

async function conversationSnapshot(
  scope: Extract<Scope, { type: 'conversation' }>,
  projects: Projects,
): Promise<Snapshot> {
  const place = await locate(projects, scope.conversation_id);
  const tree = place.ok ? ifReadable(() => place.value.engine.tree(place.value.conversation_id)) : null;
  if (tree === null) return emptySnapshot(scope);
  return {
    ...emptySnapshot(scope),
    conversations: [tree.conversation],
    sets: [...tree.sets.values()],
    runs: [...tree.runs.values()],
    asks: [...tree.asks.values()].map(({ row }) => row),
    steers: [...tree.steers.values()],
  };
}

async function transcriptSnapshot(
  scope: Extract<Scope, { type: 'transcript' }>,
  projects: Projects,
): Promise<Snapshot> {
  const place = await locate(projects, scope.run_id);
  if (!place.ok) return emptySnapshot(scope);
  const { engine, conversation_id } = place.value;
  return ifReadable(() => tailOf(scope, engine, conversation_id)) ?? emptySnapshot(scope);
}

function tailOf(
  scope: Extract<Scope, { type: 'transcript' }>,
  engine: ProjectEngine,
  conversationId: string,
): Snapshot {
  const tree = engine.tree(conversationId);
  const run = tree?.runs.get(scope.run_id);
  const entry_count = countEntries(engine.db, scope.run_id);
  return {
    ...emptySnapshot(scope),
    runs: run === undefined ? [] : [run],
    steers: [...(tree?.steers.values() ?? [])].filter(({ run_id }) => run_id === scope.run_id),
    entries: readEntries(engine.db, scope.run_id, Math.max(0, entry_count - TRANSCRIPT_TAIL), TRANSCRIPT_TAIL),
    entry_count,
  };
}
