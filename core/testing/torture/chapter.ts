import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { delay, systemClock } from '../../kit/clock.ts';
import { startScriptedModel, type ScriptedModel } from '../../scripted-model/scripted-model.ts';
import { GitFixture } from '../../workspace/worktrees/git-fixture.ts';
import { until } from '../process-trees.ts';
import type { Bundles } from './bundles.ts';
import { checkProcesses, checkWorktrees } from './check-places.ts';
import { checkTranscripts } from './check-transcripts.ts';
import { checkWork } from './check-work.ts';
import { Findings, type Finding } from './findings.ts';
import { LiveWatch } from './live-watch.ts';
import { Meddler } from './meddler.ts';
import { Dice } from './random-plan.ts';
import { StoredProject } from './stored-facts.ts';
import { isOfCore, planStrikes, Striker, type Strike } from './strikes.ts';
import { TorturedCore } from './tortured-core.ts';
import { allOf, conversationsOf, goalOf, taskOf, wavesOf, type Wave, type Work } from './workload.ts';

/** What one chapter is: a data folder of its own, a busy batch, and so many ends of its core. */
export interface ChapterOptions {
  readonly bundles: Bundles;
  readonly packageRoot: string;
  readonly seed: number;
  readonly kills: number;
  /** Tasks of a wave; a wave comes before every second strike. */
  readonly tasks: number;
  /** Number of its first strike. */
  readonly firstStrike: number;
}

/** What a chapter came to. */
export interface ChapterReport {
  readonly findings: readonly Finding[];
  readonly strikes: readonly Strike[];
  readonly runs: number;
  readonly entries: number;
  readonly frames: number;
  /** Where its data is, when something was found; else null. */
  readonly kept: string | null;
}

/** Everything must have ended so long after the last strike. */
const SETTLE_MS = 90_000;

/** Kills the core of a busy batch again and again, lets all settle, and compares what was told and done with what is stored. */
export async function runChapter(options: ChapterOptions): Promise<ChapterReport> {
  const dice = new Dice(options.seed);
  const strikes = planStrikes(dice.apart(), options.kills, options.firstStrike);
  const waves = wavesOf(dice.apart(), Math.max(1, Math.ceil(strikes.length / 3)), options.tasks);
  const chapter = await Chapter.open(options, waves);
  try {
    await chapter.torture(strikes, dice);
    const kept = await chapter.compare();
    return { ...kept, strikes };
  } finally {
    await chapter.close();
  }
}

class Chapter {
  readonly #waves: readonly Wave[];
  readonly #git: GitFixture;
  readonly #counts: string;
  readonly #model: ScriptedModel;
  readonly #core: TorturedCore;
  readonly #project: StoredProject;
  readonly #findings = new Findings();
  #meddler: Meddler | null = null;
  #striker: Striker | null = null;
  #projectId = '';
  #isKept = false;

  private constructor(options: ChapterOptions, waves: readonly Wave[], git: GitFixture, model: ScriptedModel) {
    this.#waves = waves;
    this.#git = git;
    this.#counts = countsOf(git);
    this.#model = model;
    const { bundles, packageRoot } = options;
    const environment = { ...git.environment, NODE_NO_WARNINGS: '1' };
    const log = join(git.root, 'core.log');
    this.#core = new TorturedCore(bundles, git.root, { home: git.data, packageRoot, log, environment });
    this.#project = new StoredProject(git.data, packageRoot);
  }

  static async open(options: ChapterOptions, waves: readonly Wave[]): Promise<Chapter> {
    const git = GitFixture.withCommit();
    mkdirSync(countsOf(git));
    const works = waves.flatMap(worksOf);
    const conversations = works.flatMap((work) => conversationsOf(work, countsOf(git)));
    const model = await startScriptedModel({ script: { conversations } });
    const price = { input: 1, output: 10 };
    const models = { 'scripted-model': { contextWindow: 200_000, price } };
    const provider = { kind: 'anthropic', baseUrl: `${model.url}/v1`, models };
    const settings = { version: 1, defaultModel: 'scripted/scripted-model', providers: { scripted: provider } };
    writeFileSync(join(git.data, 'settings.json'), JSON.stringify(settings));
    return new Chapter(options, waves, git, model);
  }

  async torture(strikes: readonly Strike[], dice: Dice): Promise<void> {
    await this.#core.start();
    const added = await this.#core.call((client) => client.projects.add({ path: this.#git.project }));
    if (!added.ok) throw new Error(added.message);
    this.#projectId = added.value.project_id;
    const striker = new Striker(this.#core, this.#project, dice.apart());
    const meddler = new Meddler(this.#core, this.#project, dice.apart());
    [this.#striker, this.#meddler] = [striker, meddler];
    const watch = new LiveWatch(this.#project, this.#core, this.#findings);
    const dispatched: Promise<void>[] = [];
    const waves = [...this.#waves];
    meddler.begin();
    for (const [at, strike] of strikes.entries()) {
      const wave = at % 3 === 0 ? waves.shift() : undefined;
      if (wave !== undefined) dispatched.push(this.#dispatch(wave, at));
      dispatched.at(-1)?.catch(() => undefined); // Awaited below.
      await striker.strike(strike);
    }
    await Promise.all([...dispatched, striker.thawed(), meddler.calm()]);
    await this.#settled();
    await meddler.close();
    watch.close();
  }

  async #dispatch({ tasks, lead }: Wave, at: number): Promise<void> {
    const batch = { version: 1, tasks: tasks.map((work) => taskOf(work, this.#counts)) };
    const base = { project_id: this.#projectId, conversation_id: null };
    const made = await this.#core.call((client) =>
      client.batches.dispatch({ ...base, batch, client_token: `wave ${at}` }),
    );
    if (!made.ok) throw new Error(`a dispatch was refused: ${made.message}`);
    if (lead === null) return;
    const text = goalOf(lead, this.#counts);
    const options = { permission: 'auto' } as const;
    const said = await this.#core.call((client) =>
      client.leads.send({ ...base, text, options, once: true, client_token: `lead ${at}` }),
    );
    if (!said.ok) throw new Error(`a lead was refused: ${said.message}`);
  }

  async #settled(): Promise<void> {
    const isOver = (): boolean => {
      const live = this.#project.live();
      return live !== null && live.runs.length === 0 && live.attempts.length === 0;
    };
    const looked = async (): Promise<boolean> => {
      await delay(systemClock, 100);
      return isOver();
    };
    // What has not is named by the comparison.
    await until('everything to have ended', looked, SETTLE_MS).catch(() => undefined);
    await delay(systemClock, 300);
  }

  async compare(): Promise<Omit<ChapterReport, 'strikes'>> {
    // The core goes first, as when the app is closed; what it says then is as stored.
    await this.#core.end('SIGTERM');
    const facts = this.#project.all();
    const killed = this.#striker?.killed ?? new Set<string>();
    const stopped = this.#meddler?.stopped ?? new Set<string>();
    const steered = this.#meddler?.steered ?? [];
    const { frames, entries } = checkTranscripts(this.#project, facts, { killed, stopped }, this.#findings);
    const works = this.#waves.flatMap(worksOf).flatMap(allOf);
    const done = { killed: withBelow(killed, facts.runs), stopped, steered };
    checkWork({ works, counts: this.#counts, facts, requests: this.#model.requests, done }, this.#findings);
    checkOpenRows(facts, this.#findings);
    checkWorktrees(this.#git, facts, this.#findings);
    await checkProcesses(this.#git, facts, this.#findings);
    const findings = this.#findings.all;
    this.#isKept = findings.length > 0;
    const kept = this.#isKept ? this.#git.root : null;
    return { findings, frames, entries, runs: facts.runs.length, kept };
  }

  /** Ends whatever is left, also when something broke. */
  async close(): Promise<void> {
    await this.#core.end('SIGTERM');
    await this.#model.close();
    if (!this.#isKept) this.#git.remove();
  }
}

function countsOf(git: GitFixture): string {
  return join(git.root, 'counts');
}

function worksOf({ tasks, lead }: Wave): Work[] {
  return lead === null ? [...tasks] : [...tasks, lead];
}

function withBelow(ids: ReadonlySet<string>, runs: StoredRuns): Set<string> {
  const below = [...ids];
  for (const id of below) {
    below.push(...runs.flatMap(({ row }) => (row.parent_run_id === id ? [row.run_id] : [])));
  }
  return new Set(below);
}

type StoredRuns = ReturnType<StoredProject['all']>['runs'];

/** Whether anything is left that waits for somebody. */
export function checkOpenRows(facts: ReturnType<StoredProject['all']>, findings: Findings): void {
  const open = {
    asks: facts.openAsks,
    calls: facts.openCalls,
    outbox: facts.outbox,
    holds: facts.holds,
    attempts: facts.attempts.filter(({ state }) => state !== 'ended').length,
  };
  for (const [what, count] of Object.entries(open)) {
    if (count > 0) findings.add('rows left open (asks, calls, outbox, holds, attempts)', `${count} ${what}`);
  }
}

/** Strikes that end a core. */
export function coreEnds(strikes: readonly Strike[]): number {
  return strikes.filter(isOfCore).length;
}
