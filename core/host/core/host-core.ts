import { join } from 'node:path';
import { delay } from '../../kit/clock.ts';
import { ok, type Result } from '../../kit/result.ts';
import type { Settings } from '../../protocol/settings.ts';
import { createReader, type Reader } from '../../registry/reader/reader.ts';
import type { CoreLock } from '../../registry/lock/core-lock.ts';
import { isCopiedFolder, markFolder } from '../../registry/lock/folder-mark.ts';
import type { WorkerPool } from '../../workers/contract.ts';
import { createLocalWorkerPool } from '../../workers/local-pool.ts';
import { GIT_OWNER } from '../../workspace/worktrees/find-git.ts';
import type { CoreService } from '../service.ts';
import { FeedHub } from '../live/feed-hub.ts';
import type { HostedCore } from '../hosted-core.ts';
import { agentsArea } from './areas/agents-area.ts';
import { appArea, type Listen } from './areas/app-area.ts';
import { exportArea } from './areas/export-area.ts';
import { historyArea } from './areas/history-area.ts';
import { openArea } from './areas/open-area.ts';
import { outsideArea } from './areas/outside-area.ts';
import { Onboarding } from './areas/onboarding-area.ts';
import { preferencesArea } from './areas/preferences-area.ts';
import { projectArea } from './areas/project-area.ts';
import { providersArea } from './areas/providers-area.ts';
import { storageArea } from './areas/storage-area.ts';
import { terminalArea } from './areas/terminal-area.ts';
import { pastArea } from './areas/past-area.ts';
import { skillsArea } from './areas/skills-area.ts';
import { searchArea } from './areas/search-area.ts';
import { changesArea } from './areas/changes-area.ts';
import { controlArea, workArea } from './areas/work-area.ts';
import { Terminals } from '../terminals/terminals.ts';
import { keyVariables } from './assignments.ts';
import { claimHome, readSettings, type ClaimedHome, type CoreAddresses, type HostError } from './claim-home.ts';
import { Core } from './core.ts';
import { isDemo } from './demo.ts';
import type { CoreOptions, PathOrigin } from './core-options.ts';
import { ProviderKeys } from './provider-keys.ts';
import { recover, takeUpReplaced } from './recovery.ts';
import { endLeftGit, gitOwner } from './left-git.ts';
import { diagnose } from './diagnose.ts';
import { withStorageFailures } from './storage-failure.ts';
import { makeSnapshot, allOpenAsks } from './snapshots.ts';
import { decideStop } from '../../delegation/decide-stop.ts';

/** How a process becomes the core of a data folder. */
export interface HostCoreOptions extends CoreOptions {
  /** Opens an HTTP listener when a client asks for it. */
  readonly listen?: Listen;
}

/** A core that also tells others how to reach it. */
export interface OwnedCore extends HostedCore {
  readonly lock: CoreLock;
  /** Says where this core listens; written to `core.json`. */
  announce(where: CoreAddresses): void;
  /** Runs that have not ended, over all projects that are open. */
  liveRuns(): number;
  /** The same without those that wait for their user or for the end of a pause. */
  atWork(): number;
  /** Resolves when all work is settled whose process is gone by now, or after that many milliseconds: for a core that was only up for a moment. */
  settled(withinMs: number): Promise<void>;
  /** The settings that hold now. */
  settings(): Settings;
  /** Keys that this process was given by a keychain, beside its environment. */
  readonly keys: Pick<ProviderKeys, 'give'>;
}

/**
 * Opens the data folder, unless that is done, takes up what an earlier core left, and is then ready for clients (D2, D5). What was claimed is given up
 * where this fails.
 */
export async function hostCore(options: HostCoreOptions, claimed?: ClaimedHome): Promise<Result<OwnedCore, HostError>> {
  const claim = claimed === undefined ? await claimHome(options) : ok(claimed);
  if (!claim.ok) return claim;
  const started = await start(options, claim.value);
  if (!started.ok) await claim.value.release();
  return started;
}

/** What a second look finds counts for the core at once. */
function livePath(path: PathOrigin, environment: Record<string, string | undefined>): PathOrigin {
  return {
    foundBy: (program) => path.foundBy(program),
    get words() {
      return path.words;
    },
    get isLacking() {
      return path.isLacking;
    },
    lookAgain: async () => (environment['PATH'] = await path.lookAgain()),
  };
}

async function start(given: HostCoreOptions, claim: ClaimedHome): Promise<Result<OwnedCore, HostError>> {
  const { lock, announce } = claim;
  const settings = claim.settings === null ? await readSettings(given.home) : ok(claim.settings);
  if (!settings.ok) return settings;
  // A key that is kept while the core runs counts at once: everything reads this one object.
  const environment: Record<string, string | undefined> = {
    ...given.environment,
    [GIT_OWNER]: gitOwner(given.home),
  };
  const keys = new ProviderKeys(given.home, environment);
  keys.load();
  const path = given.path === undefined ? {} : { path: livePath(given.path, environment) };
  const options = { ...given, ...path, environment };
  settings.value.know(environment);
  const parts: { hub: FeedHub | null } = { hub: null };
  const core = new Core(
    options,
    settings.value,
    options.random.hex(12),
    claim.storage,
    () => parts.hub ?? { publish() {}, refresh() {}, canAnswer: false },
  );
  const hub = hubOf(core, options);
  parts.hub = hub;
  const pool = await openPool(core, options);
  const { projects, attempts, asks } = core;
  await core.settingsChanged();
  await projects.look();
  // Nothing is cleared up beside a git that a dead core began and that goes on.
  if (projects.possiblyLive.length > 0) await endLeftGit({ home: options.home, clock: options.clock });
  await core.agents.refreshAll();
  // What is still at work there asks the server that it knows.
  if (projects.possiblyLive.some((id) => isDemo(projects.get(id)))) await core.demo.ready();
  await takeUp(core, options, hub);
  const stopListening = hub.onCanAnswerChange((canAnswer) => {
    if (!canAnswer) void allOpenAsks(projects).then((open) => asks.nobodyIsThere(projects.engines, open));
  });
  const beside = serviceParts(core, options, keys);
  return ok({
    boot: core.boot,
    hub,
    lock,
    announce,
    settings: () => core.settings.value,
    keys,
    liveRuns: () => attempts.size + core.closings.size,
    atWork: () => attempts.atWork + core.closings.size,
    settled: (withinMs) => Promise.race([settleGone(core, pool), delay(options.clock, withinMs)]),
    service: serviceOf(core, beside),
    close: async ({ endAll = false } = {}) => {
      stopListening();
      if (endAll) await endEverything(core);
      await Promise.all([core.starts.close(), core.closings.close()]);
      await pool.close({ endAll });
      await core.close();
      await Promise.all([beside.reader.close(), beside.terminals.closeAll()]);
      hub.close();
      lock.release();
    },
  });
}

async function settleGone({ projects, closings }: Core, pool: WorkerPool): Promise<void> {
  const stored = (): Promise<unknown> => Promise.all(projects.engines.map((engine) => engine.settled()));
  await pool.settled();
  await stored();
  await closings.drained();
  await stored();
}

function hubOf(core: Core, { clock, random }: HostCoreOptions): FeedHub {
  const snapshot: ConstructorParameters<typeof FeedHub>[0]['snapshot'] = (scope) =>
    makeSnapshot(scope, core.projects, () => core.appRow());
  return new FeedHub({ clock, random, boot: core.boot, snapshot });
}

/** What an earlier core left; and from now on, what a database has that took another one's place. */
async function takeUp(core: Core, options: HostCoreOptions, hub: FeedHub): Promise<void> {
  const { projects, attempts, effects, asks, admission, outside } = core;
  const isCopy = isCopiedFolder(options.home);
  const recovery = { projects, effects, asks, admission, options, attempts, outside, isCopy };
  core.onReplaced = (engine) => {
    void takeUpReplaced(recovery, engine).then(() => {
      core.publishApp();
      hub.refresh();
    });
  };
  await recover(recovery);
  // What was taken up holds places: whoever is told of the next change must be told from there on.
  core.publishApp();
  markFolder(options.home);
}

async function openPool(core: Core, options: HostCoreOptions): Promise<WorkerPool> {
  const { home, clock, random, logger, environment, packageRoot } = options;
  const pool = await createLocalWorkerPool({
    home,
    clock,
    random,
    logger,
    boot: core.boot,
    childEntry: options.workerEntry ?? join(packageRoot, 'dist', 'worker', 'child.js'),
    events: core.attempts,
    warm: options.warmWorkers ?? 2,
    environment,
    ...(options.workerTimings === undefined ? {} : { timings: options.workerTimings }),
  });
  core.attempts.use(pool);
  return pool;
}

interface ServiceParts {
  readonly onboarding: Onboarding;
  readonly reader: Reader;
  readonly terminals: Terminals;
  readonly listen: Listen | undefined;
  readonly keys: ProviderKeys;
}

function serviceParts(
  core: Core,
  { clock, random, environment, listen }: HostCoreOptions,
  keys: ProviderKeys,
): ServiceParts {
  const hidden = (): string[] => keyVariables(core.settings.value);
  const terminals = new Terminals({ clock, random, environment, hidden });
  return { onboarding: new Onboarding(core), reader: createReader(clock), terminals, listen, keys };
}

function serviceOf(core: Core, { onboarding, reader, terminals, listen, keys }: ServiceParts): CoreService {
  const history = historyArea(core);
  const control = controlArea(core);
  return withStorageFailures({
    ...appArea(core, listen, () => diagnose(core, () => onboarding.detect())),
    ...preferencesArea(core),
    ...skillsArea(core),
    ...agentsArea(core),
    ...providersArea(core, keys),
    ...projectArea(core),
    ...workArea(core),
    ...control,
    ...changesArea(core),
    ...history,
    ...exportArea(core, { ...history, ...control }),
    ...openArea(core),
    ...searchArea(core, reader),
    ...pastArea(core, reader),
    ...outsideArea(core),
    ...terminalArea(core, terminals),
    ...onboarding.area(),
    ...storageArea(core),
  });
}

/** Stops every live run and waits for the proof. */
async function endEverything(core: Core): Promise<void> {
  for (const engine of core.projects.engines) {
    for (const conversationId of engine.liveConversations()) {
      await engine.command(conversationId, (step) => ok(decideStop(step, [...step.tree.runs.keys()])));
    }
  }
  await core.attempts.drained();
  await core.closings.drained();
}
