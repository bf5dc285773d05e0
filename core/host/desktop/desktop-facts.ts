import { byLastUse } from '../../protocol/order.ts';
import { taskName } from '../../delegation/lines/set-lines.ts';
import { assertNever } from '../../kit/assert-never.ts';
import type { DesktopView, WorkNow } from '../../protocol/desktop.ts';
import type { Change, Snapshot } from '../../protocol/feed.ts';
import { hasAttempt, isLive, waitsForWords } from '../../protocol/lifecycle.ts';
import {
  isOutside,
  type AppRow,
  type AskRow,
  type ConversationRow,
  type ProjectRow,
  type RunRow,
} from '../../protocol/rows.ts';
import { noticeLine } from './notice-text.ts';
import { trayModel } from './tray.ts';

/** What the desktop knows of the work, kept up to date by the core's changes. */
export interface DesktopFacts {
  readonly app: AppRow | null;
  readonly projects: ReadonlyMap<string, ProjectRow>;
  readonly conversations: ReadonlyMap<string, ConversationRow>;
  /** Open ones. */
  readonly asks: ReadonlyMap<string, AskRow>;
}

/** What the person wants of what is shown. */
export interface ViewOptions {
  readonly hideContent: boolean;
  readonly keepAwake: boolean;
  readonly closeToTray: boolean;
  readonly checkForUpdates: boolean;
  /** Masks known secrets. */
  readonly redact: (text: string) => string;
}

const MOST_RECENT = 8;

export const NO_FACTS: DesktopFacts = { app: null, projects: new Map(), conversations: new Map(), asks: new Map() };

/** Everything as a snapshot of the app says. */
export function factsOf({ app, projects, conversations, asks }: Snapshot): DesktopFacts {
  return {
    app,
    projects: new Map(projects.map((row) => [row.project_id, row])),
    conversations: new Map(conversations.map((row) => [row.conversation_id, row])),
    asks: new Map(asks.filter(({ state }) => state === 'open').map((row) => [row.ask_id, row])),
  };
}

/** The facts after a change; the same object when it says nothing that is shown. */
export function applyToFacts(facts: DesktopFacts, change: Change): DesktopFacts {
  switch (change.type) {
    case 'app':
      return { ...facts, app: change.row };
    case 'project':
      return { ...facts, projects: new Map(facts.projects).set(change.row.project_id, change.row) };
    case 'conversation':
      return {
        ...facts,
        conversations: new Map(facts.conversations).set(change.row.conversation_id, change.row),
      };
    case 'ask': {
      const asks = new Map(facts.asks);
      if (change.row.state === 'open') asks.set(change.row.ask_id, change.row);
      else asks.delete(change.row.ask_id);
      return { ...facts, asks };
    }
    case 'removed':
      return forget(facts, change.what, change.id);
    case 'set':
    case 'run':
    case 'steer':
    case 'entry':
    case 'delta':
    case 'entry_meta':
    case 'entry_end':
      return facts;
    default:
      return assertNever(change);
  }
}

function forget(facts: DesktopFacts, what: 'project' | 'conversation', id: string): DesktopFacts {
  const isGone = (row: { project_id: string; conversation_id: string }): boolean =>
    (what === 'project' ? row.project_id : row.conversation_id) === id;
  return {
    ...facts,
    projects: new Map([...facts.projects].filter(([project]) => what !== 'project' || project !== id)),
    conversations: new Map([...facts.conversations].filter(([, row]) => !isGone(row))),
    asks: new Map([...facts.asks].filter(([, row]) => !isGone(row))),
  };
}

/** What tray, badge and task bar show. */
export function desktopView(
  { app, projects, conversations, asks }: DesktopFacts,
  { hideContent, keepAwake, closeToTray, checkForUpdates, redact }: ViewOptions,
): DesktopView {
  const rows = [...conversations.values()];
  // Not the places that are taken: one may be held for what is left of a run that has ended (R1).
  const atWork = rows.reduce((sum, { working }) => sum + working, 0);
  const shown = { paused: app?.paused ?? false, at_work: atWork };
  const tray = trayModel({ app: shown, conversations: rows, asks: [...asks.values()], hideContent, redact });
  const live = rows.filter((row) => !row.archived && row.ended < row.runs && row.working > 0);
  const all = live.reduce((sum, { runs }) => sum + runs, 0);
  const ended = live.reduce((sum, row) => sum + row.ended, 0);
  const failed = rows.filter(({ archived }) => !archived).reduce((sum, row) => sum + row.unseen_failures, 0);
  return {
    tray,
    badge: asks.size + failed,
    progress: all === 0 ? null : ended / all,
    keepAwake: keepAwake && atWork > 0,
    closeToTray,
    checkForUpdates,
    atWork,
    recent: [...projects.values()]
      .filter(({ present }) => present)
      .toSorted(byLastUse)
      .slice(0, MOST_RECENT)
      .map(({ path }) => path),
  };
}

const LONGEST_NAME = 60;

/** What of the work there is when the app ends. A lead that only waits for the person's next words is none of it. */
export function workNow(
  runs: readonly RunRow[],
  asks: readonly AskRow[],
  { hideContent, redact }: Pick<ViewOptions, 'hideContent' | 'redact'>,
): WorkNow {
  const open = asks.filter(({ state }) => state === 'open');
  const busy = runs.filter((run) => isLive(run.state) && !isOutside(run) && !waitsForWords(run.state, run.reason));
  const atWork = busy.filter(({ state }) => hasAttempt(state));
  return {
    atWork: atWork.length,
    queued: busy.length - atWork.length,
    asks: open.length,
    names: hideContent ? [] : atWork.map((run) => noticeLine(taskName(run, LONGEST_NAME), redact)),
  };
}
