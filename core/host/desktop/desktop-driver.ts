import type { CancelTimer, Clock } from '../../kit/clock.ts';
import type { ConversationRow, RunRow, SetRow } from '../../protocol/rows.ts';
import type { DesktopView, Notice, WorkNow } from '../../protocol/desktop.ts';
import type { Desktop, Notifications } from '../../protocol/settings.ts';
import type { RoutedChange } from '../engine/flush.ts';
import type { FeedHub } from '../live/feed-hub.ts';
import { applyToFacts, desktopView, factsOf, NO_FACTS, workNow } from './desktop-facts.ts';
import { alreadyKnown, decideNotices, NO_NOTICES, tellFailures, type NoticeContext } from './notices.ts';

/** The desktop around the core, as far as it shows what is decided here. Its methods must not throw. */
export interface DesktopShell {
  notify(notice: Notice): void;
  /** Something of it is another one. */
  show(view: DesktopView): void;
  /** The conversation that is on screen in a window with the focus; null for none. */
  looksAt(): string | null;
}

/** What of the settings counts here. */
export interface DesktopSettings {
  readonly notifications: Pick<Notifications, 'doNotDisturb' | 'hideContent' | 'projects'>;
  readonly desktop: Desktop;
}

export interface DesktopDriverDeps {
  readonly hub: Pick<FeedHub, 'listen' | 'snapshot'>;
  readonly clock: Clock;
  readonly shell: DesktopShell;
  readonly settings: () => DesktopSettings;
  /** Masks known secrets. */
  readonly redact: (text: string) => string;
}

/** A tray menu that is rebuilt for each delta closes under the pointer: changes of this time are shown together. */
const SHOW_MS = 150;

/** Hears what the core commits, and has the desktop tell and show what follows from it (ui.md, *Telling people*). */
export class DesktopDriver {
  readonly #deps: DesktopDriverDeps;
  #facts = NO_FACTS;
  #notices = NO_NOTICES;
  /** Changes that come while one looks: they are news for what was read, however old that is by then. Null while nobody looks. */
  #meanwhile: RoutedChange[] | null = null;
  #looks = 0;
  /** What there was at the first look is nothing to tell of. */
  #isBegun = false;
  #stopListening: () => void = () => undefined;
  #showTimer: CancelTimer | null = null;
  #tellTimer: CancelTimer | null = null;
  #shown = '';
  #closed = false;

  private constructor(deps: DesktopDriverDeps) {
    this.#deps = deps;
  }

  /** Looks at what there is, tells nothing of it, and goes on from there. */
  static async start(deps: DesktopDriverDeps): Promise<DesktopDriver> {
    const driver = new DesktopDriver(deps);
    driver.#stopListening = deps.hub.listen({
      published: (changes) => driver.#published(changes),
      refreshed: () => void driver.#look(),
    });
    await driver.#look();
    return driver;
  }

  close(): void {
    this.#closed = true;
    this.#stopListening();
    this.#showTimer?.();
    this.#tellTimer?.();
  }

  async #look(): Promise<void> {
    const look = (this.#looks += 1);
    this.#meanwhile ??= [];
    const snapshot = await this.#deps.hub.snapshot({ type: 'app' });
    const known = this.#isBegun ? null : await readLive(this.#deps.hub, snapshot.conversations);
    // A later look sees all that this one does.
    if (this.#closed || look !== this.#looks) return;
    this.#facts = factsOf(snapshot);
    const meanwhile = this.#meanwhile;
    this.#meanwhile = null;
    if (known !== null) {
      const { sets, runs } = known;
      this.#notices = alreadyKnown({ sets, asks: snapshot.asks, runs: [...snapshot.runs, ...runs] });
      this.#isBegun = true;
    }
    this.#published(meanwhile);
    this.#showSoon();
  }

  #published(changes: readonly RoutedChange[]): void {
    if (this.#meanwhile !== null) {
      this.#meanwhile.push(...changes);
      return;
    }
    const before = this.#facts;
    for (const { change } of changes) this.#facts = applyToFacts(this.#facts, change);
    const decided = decideNotices(this.#notices, changes, this.#context());
    this.#notices = decided.state;
    this.#tell(decided.notices);
    if (this.#facts !== before) this.#showSoon();
  }

  #tell(notices: readonly Notice[]): void {
    for (const notice of notices) this.#deps.shell.notify(notice);
    this.#tellTimer?.();
    this.#tellTimer = null;
    const { tellAt } = this.#notices;
    if (tellAt === null) return;
    this.#tellTimer = this.#deps.clock.after(Math.max(0, tellAt - this.#deps.clock.now()), () => {
      const told = tellFailures(this.#notices, this.#context());
      this.#notices = told.state;
      this.#tell(told.notices);
    });
  }

  #context(): NoticeContext {
    const { clock, settings, redact, shell } = this.#deps;
    const { doNotDisturb, hideContent, projects } = settings().notifications;
    return {
      now: clock.now(),
      doNotDisturb,
      hideContent,
      isMuted: (id) => projects[this.#facts.conversations.get(id)?.project_id ?? ''] === 'none',
      looksAt: shell.looksAt(),
      redact,
    };
  }

  #showSoon(): void {
    this.#showTimer ??= this.#deps.clock.after(SHOW_MS, () => {
      this.#showTimer = null;
      const { notifications, desktop } = this.#deps.settings();
      const view = desktopView(this.#facts, { ...notifications, ...desktop, redact: this.#deps.redact });
      const text = JSON.stringify(view);
      if (text === this.#shown) return;
      this.#shown = text;
      this.#deps.shell.show(view);
    });
  }
}

/** What there is to do when the app ends now. */
export async function readWork({
  hub,
  settings,
  redact,
}: Pick<DesktopDriverDeps, 'hub' | 'settings' | 'redact'>): Promise<WorkNow> {
  const { conversations, asks } = await hub.snapshot({ type: 'app' });
  const { runs } = await readLive(hub, conversations);
  return workNow(runs, asks, { hideContent: settings().notifications.hideContent, redact });
}

async function readLive(
  hub: Pick<FeedHub, 'snapshot'>,
  conversations: readonly ConversationRow[],
): Promise<{ sets: SetRow[]; runs: RunRow[] }> {
  const live = conversations.filter((row) => row.ended < row.runs);
  const found = { sets: [] as SetRow[], runs: [] as RunRow[] };
  for (const { conversation_id } of live) {
    const { sets, runs } = await hub.snapshot({ type: 'conversation', conversation_id });
    found.sets.push(...sets);
    found.runs.push(...runs);
  }
  return found;
}
