import { delay, systemClock } from '../../kit/clock.ts';
import { isLive } from '../../protocol/lifecycle.ts';
import type { RunRow } from '../../protocol/rows.ts';
import type { Dice } from './random-plan.ts';
import type { StoredProject } from './stored-facts.ts';
import type { TorturedCore } from './tortured-core.ts';

const MODES = ['merge', 'squash', 'cherry-pick'] as const;

/** Most runs that are stopped in a chapter: what is stopped cannot be looked at to its end. */
const MOST_STOPS = 3;

/** A user who never rests: steers, stops, pauses, answers, and deals with worktrees, through the API, whatever happens to the core. */
export class Meddler {
  readonly #core: TorturedCore;
  readonly #project: StoredProject;
  readonly #dice: Dice;
  readonly stopped = new Set<string>();
  readonly steered: string[] = [];
  /** What was refused, by code; for people. */
  readonly refused = new Map<string, number>();
  #paused: string[] = [];
  #stops = 0;
  #isOver = false;
  #done: Promise<void> = Promise.resolve();

  constructor(core: TorturedCore, project: StoredProject, dice: Dice) {
    this.#core = core;
    this.#project = project;
    this.#dice = dice;
  }

  begin(): void {
    this.#done = Promise.all([this.#meddle(), this.#answer(), this.#tidyUp()]).then(() => undefined);
    this.#done.catch(() => undefined); // Whoever closes it is told.
  }

  /** Does no more, opens every gate that it closed, and goes on answering until {@link Meddler.close}. */
  async calm(): Promise<void> {
    this.#stops = MOST_STOPS;
    this.#isCalm = true;
    for (const id of this.#paused.splice(0)) await this.#call(`resume`, (client) => client.runs.resume({ id }));
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#done;
  }

  #isCalm = false;

  async #meddle(): Promise<void> {
    for (let n = 0; !this.#isCalm; n += 1) {
      await this.#wait(40, 260);
      const run = this.#dice.pick(this.#running());
      if (run === undefined || this.#isCalm) continue;
      const roll = this.#dice.fraction();
      if (roll < 0.6) await this.#steer(run, `STEER-${n}.`);
      else if (roll < 0.75) await this.#stop(run);
      else await this.#pauseAndResume(run);
    }
  }

  #running(): RunRow[] {
    const live = this.#project.live()?.runs ?? [];
    return live.map(({ row }) => row).filter(({ state }) => state !== 'queued' && isLive(state as 'running'));
  }

  async #steer({ run_id, runner, lead }: RunRow, text: string): Promise<void> {
    if (runner !== 'builtin' || lead) return;
    const input = {
      run_id,
      text,
      mode: this.#dice.chance(0.7) ? 'steer' : 'follow_up',
      client_token: `steer ${text}`,
    } as const;
    if (await this.#call('steer', (client) => client.runs.steer(input))) this.steered.push(text);
  }

  async #stop({ run_id, lead }: RunRow): Promise<void> {
    if (this.#stops >= MOST_STOPS || lead) return;
    this.#stops += 1;
    // Also when its answer is lost: it may have been taken in.
    this.#markStopped(run_id);
    await this.#call('stop', (client) => client.runs.stop({ id: run_id }));
    this.#markStopped(run_id);
  }

  #markStopped(id: string): void {
    const runs = this.#project.all().runs.map(({ row }) => row);
    const below = [id];
    for (const at of below) {
      this.stopped.add(at);
      below.push(...runs.flatMap(({ run_id, parent_run_id }) => (parent_run_id === at ? [run_id] : [])));
    }
  }

  async #pauseAndResume({ run_id }: RunRow): Promise<void> {
    this.#paused.push(run_id);
    await this.#call('pause', (client) => client.runs.pause({ id: run_id }));
    await this.#wait(50, 400);
    const [first] = this.#paused.splice(0, 1);
    if (first !== undefined) await this.#call('resume', (client) => client.runs.resume({ id: first }));
  }

  async #answer(): Promise<void> {
    while (!this.#isOver) {
      await this.#wait(100, 700);
      const open = await this.#core.call((client) => client.asks.list());
      const ask = open.ok ? this.#dice.pick(open.value.filter(({ state }) => state === 'open')) : undefined;
      if (ask === undefined) continue;
      const input = { ask_id: ask.ask_id, choice: 'once', note: null, client: 'torture' } as const;
      await this.#call('answer', (client) => client.asks.answer(input));
    }
  }

  /** Deals with the worktrees of runs that have ended. */
  async #tidyUp(): Promise<void> {
    while (!this.#isCalm) {
      await this.#wait(100, 500);
      if (this.#project.live() === null) continue;
      const ended = this.#project.all().runs.map(({ row }) => row);
      const run = this.#dice.pick(
        ended.filter(({ state, worktree }) => state === 'ended' && worktree?.state === 'kept'),
      );
      if (run === undefined) continue;
      const { run_id } = run;
      const mode = this.#dice.pick(MODES) ?? 'merge';
      const roll = this.#dice.fraction();
      if (roll < 0.4) await this.#call('apply', (client) => client.changes.apply({ run_id, mode }));
      else if (roll < 0.7) await this.#call('keep', (client) => client.changes.keep({ run_id }));
      else await this.#call('discard', (client) => client.changes.discard({ run_id, accept_loss: false }));
    }
  }

  async #call(what: string, ask: Parameters<TorturedCore['call']>[0]): Promise<boolean> {
    const called = await this.#core.call(ask);
    if (called.ok) return true;
    const key = `${what}: ${called.code}`;
    this.refused.set(key, (this.refused.get(key) ?? 0) + 1);
    return false;
  }

  #wait(least: number, most: number): Promise<void> {
    return delay(systemClock, this.#dice.between(least, most));
  }
}
