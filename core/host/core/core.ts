import { makeId } from '../../protocol/ids.ts';
import { Admission } from '../../delegation/admission.ts';
import { decidePause } from '../../delegation/decide-pause.ts';
import type { DecisionContext } from '../../delegation/step.ts';
import type { AppRow } from '../../protocol/rows.ts';
import { readAppState, writeAppState } from '../../registry/store/projects.ts';
import type { WriterRegistry } from '../../registry/writers/registry.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import type { Settings } from '../../protocol/settings.ts';
import type { RoutedChange } from '../engine/flush.ts';
import type { EngineDeps, ProjectEngine } from '../engine/project-engine.ts';
import { exportRedactor } from '../secrets/export-redactor.ts';
import { AgentCatalog } from './agent-catalog.ts';
import { Asks } from './asks.ts';
import { Attempts } from './attempts.ts';
import { Closings } from './closings.ts';
import type { StorageBanner } from '../health/storage-banner.ts';
import type { AppStorage } from './app-storage.ts';
import type { CoreOptions } from './core-options.ts';
import { Demo, isDemo } from './demo.ts';
import { Effects } from './effects.ts';
import type { OpenedStorage } from './open-storage.ts';
import { OutsideClients, type OutsideDeps } from './outside-clients.ts';
import { Projects } from './projects.ts';
import type { SettingsFile } from './settings-file.ts';
import { Starts } from './starts.ts';
import { Today } from './today.ts';
import { priceOf, TOOL_NAMES } from './world.ts';
import { summaryPath } from './write-summary.ts';

/** Of each project; measured as 1.6 kB a row, so about 8 MB, before conversations at rest leave memory (decision 0008). */
const ROWS_IN_MEMORY = 5000;

/** Tells clients; the feed hub is one. */
export interface Audience {
  publish(changes: readonly RoutedChange[]): void;
  /** What clients have may be wrong: they are sent everything anew. */
  refresh(): void;
  /** A connected client can answer asks. */
  readonly canAnswer: boolean;
}

/** Everything that one core of a data folder is made of. */
export class Core {
  readonly options: CoreOptions;
  readonly settings: SettingsFile;
  readonly boot: string;
  readonly admission: Admission;
  readonly attempts: Attempts;
  readonly asks: Asks;
  readonly starts: Starts;
  readonly closings: Closings;
  readonly effects: Effects;
  readonly projects: Projects;
  readonly registry: WriterRegistry;
  readonly today: Today;
  readonly storage: StorageBanner;
  readonly outside: OutsideClients;
  readonly agents: AgentCatalog;
  readonly demo: Demo;
  readonly #app: AppStorage;
  readonly #audience: () => Audience;
  #paused = false;
  readonly #onCommit = new Set<() => void>();

  /** The caller holds the core lock, and has opened `parts`. */
  constructor(
    options: CoreOptions,
    settings: SettingsFile,
    boot: string,
    parts: OpenedStorage,
    audience: () => Audience,
  ) {
    const { clock, random, logger, home, environment } = options;
    this.options = options;
    this.settings = settings;
    this.boot = boot;
    this.registry = parts.registry;
    this.#app = parts.app;
    this.storage = parts.banner;
    this.#audience = audience;
    this.#paused = readAppState(parts.app.db, 'paused') === true;
    parts.app.onReplaced((db) => writeAppState(db, 'paused', this.#paused));
    parts.changed = () => this.publishApp();
    this.admission = new Admission(() => settings.value.limits.concurrency);
    this.attempts = new Attempts({
      ...{ clock, random, home },
      redact: (text) => exportRedactor(settings.value, environment)(text),
    });
    this.asks = new Asks({ clock, unattendedMs: options.unattendedMs, canAnswer: () => audience().canAnswer });
    this.agents = this.#openCatalog();
    this.demo = new Demo({ home, packageRoot: options.packageRoot, random, logger });
    const access = {
      agents: (projectId: string) => this.agents.of(projectId),
      environment,
      attempts: this.attempts,
      projects: () => this.projects,
      settings: (projectId?: string) => this.settingsIn(projectId),
    };
    this.starts = new Starts({ ...access, home, random, demo: this.demo });
    this.closings = new Closings({ ...access, home, clock, logger, nextCommit: () => this.nextCommit() });
    this.effects = new Effects({
      logger,
      clock,
      environment,
      starts: this.starts,
      closings: this.closings,
      outside: () => this.outside,
      admission: this.admission,
      attempts: this.attempts,
      asks: this.asks,
      settings: (projectId?: string) => this.settingsIn(projectId),
      project: (id) => this.projects.get(id),
      agentsIn: (id) => this.agents.freshIn(id),
      paused: () => this.#paused,
      today: () => this.today.figures(),
      placesChanged: () => this.#tellApp(),
    });
    this.projects = this.#openProjects(parts);
    this.outside = new OutsideClients(this.#outsideDeps());
    this.today = new Today({
      clock,
      // Nothing is spent in the Demo.
      engines: () => this.projects.engines.filter(({ projectId }) => !isDemo(this.projects.get(projectId))),
      changed: () => this.#limitsChanged(),
    });
  }

  #openProjects({ registry, app }: OpenedStorage): Projects {
    const { home, random } = this.options;
    const openedLate = (): void => this.#audience().refresh();
    return new Projects({ home, random, registry, app, banner: this.storage, engine: this.#engineDeps(), openedLate });
  }

  #openCatalog(): AgentCatalog {
    const { home, environment } = this.options;
    return new AgentCatalog({
      home,
      environment,
      settings: () => this.settings.value,
      projects: () => this.projects,
      projectChanged: (row) => this.publish([{ conversation_id: '', run_id: null, change: { type: 'project', row } }]),
    });
  }

  /** The settings that hold in a project, or in any. */
  settingsIn(projectId?: string | null): Settings {
    const { value } = this.settings;
    return projectId != null && isDemo(this.projects.get(projectId)) ? this.demo.settingsOf(value) : value;
  }

  /** The app as clients see it. */
  appRow(): AppRow {
    const { settings, options } = this;
    return {
      version: options.version,
      boot: this.boot,
      home: options.home,
      at_work: this.admission.atWork,
      places: settings.value.limits.concurrency,
      paused: this.#paused,
      cost_today_usd: this.today.cost,
      storage_banner: this.storage.text,
      default_model: settings.value.defaultModel ?? null,
      default_agent: settings.value.defaultAgent,
    };
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Holds or releases all new starts; stored, and so survives a restart (R9). */
  async setPaused(paused: boolean): Promise<Result<null, ApiError>> {
    const written = await this.#app.write((db) => writeAppState(db, 'paused', paused));
    if (!written.ok) return err({ code: 'storage', message: written.error.message });
    this.#paused = paused;
    this.publishApp();
    for (const engine of this.projects.engines) {
      for (const conversationId of engine.liveConversations()) void engine.fact(conversationId, decidePause);
    }
    if (!paused) this.effects.grantSoon();
    return ok(null);
  }

  /** The settings are others. What all projects have used today is known before a limit of the day holds (R5). */
  async settingsChanged(): Promise<void> {
    const { dayCostUsd, dayTokens } = this.settings.value.limits;
    if (dayCostUsd !== undefined || dayTokens !== undefined) await this.projects.openAll();
    this.#limitsChanged();
  }

  /** There may be more room than there was. */
  #limitsChanged(): void {
    this.publishApp();
    this.effects.grantSoon();
  }

  /** Resolves after the next commit of any project. */
  nextCommit(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onCommit.add(resolve);
    return promise;
  }

  /** Tells clients of the app's own row. */
  publishApp(): void {
    this.#lastAtWork = this.admission.atWork;
    this.#publish([{ conversation_id: '', run_id: null, change: { type: 'app', row: this.appRow() } }]);
  }

  /** What an engine had at work does not belong to the database that it now has (D6); set by the host. */
  onReplaced: (engine: ProjectEngine) => void = () => undefined;

  /** Tells clients of changes that no engine makes. */
  publish(changes: readonly RoutedChange[]): void {
    this.#publish(changes);
  }

  #lastAtWork = 0;
  #tellApp(): void {
    if (this.admission.atWork !== this.#lastAtWork) this.publishApp();
  }

  #publish(changes: readonly RoutedChange[]): void {
    if (changes.length > 0) this.#audience().publish(changes);
    if (changes.some(({ change }) => change.type === 'run')) this.today.look();
    const waiting = [...this.#onCommit];
    this.#onCommit.clear();
    for (const told of waiting) told();
  }

  #outsideDeps(): OutsideDeps {
    return {
      options: this.options,
      projects: () => this.projects,
      settings: () => this.settings.value,
      agents: (projectId) => this.agents.of(projectId),
      nextCommit: () => this.nextCommit(),
    };
  }

  #engineDeps(): EngineDeps {
    const { clock, logger } = this.options;
    return {
      clock,
      logger,
      boot: this.boot,
      context: (projectId) => this.#context(projectId),
      publish: (changes) => this.#publish(changes),
      perform: (engine, conversationId, effect, done) => this.effects.perform(engine, conversationId, effect, done),
      rowsInMemory: ROWS_IN_MEMORY,
      newAttempt: (runId, attemptId, n, at) => this.attempts.fresh(runId, attemptId, n, at),
      acknowledge: (attemptId, seq) => this.attempts.pool.ack(attemptId, seq),
      storage: (path, error) => this.storage.tell(`engine of ${path}`, error?.message ?? null),
      reopen: (projectId) => this.projects.reopen(projectId),
      replaced: (engine) => this.onReplaced(engine),
    };
  }

  #context(projectId: string): Omit<DecisionContext, 'entryCount' | 'now'> {
    const { random } = this.options;
    const settings = this.settingsIn(projectId);
    return {
      newId: (prefix) => makeId(prefix, (length) => random.hex(length)),
      limits: settings.limits,
      agents: this.agents.of(projectId),
      toolNames: TOOL_NAMES,
      priceOf: (model) => priceOf(settings, this.options.environment, model),
      summaryPath: (projectId, runId) => summaryPath(this.options.home, projectId, runId),
      paused: this.#paused,
      day: this.today.day,
      today: () => this.today.figures(),
    };
  }

  /** Ends everything but the workers: commits what is pending and closes the databases. */
  async close(): Promise<void> {
    this.asks.close();
    this.outside.close();
    this.effects.close();
    this.today.close();
    await this.demo.close();
    await this.projects.close();
    await this.#app.close();
    await this.registry.drainAll({ giveUpAfterMs: 5000 });
  }
}
