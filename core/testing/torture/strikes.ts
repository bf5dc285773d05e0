import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { delay, systemClock } from '../../kit/clock.ts';
import { isSameProcess } from '../../kit/process-tree/host-processes.ts';
import type { AttemptRecord } from '../../registry/store/records.ts';
import { until } from '../process-trees.ts';
import type { Dice } from './random-plan.ts';
import type { StoredProject } from './stored-facts.ts';
import type { TorturedCore } from './tortured-core.ts';

/** What is done to a process of ours. */
export const STRIKES = [
  'core killed',
  'core killed while it starts',
  'core closed',
  'worker killed',
  'worker killed at its end',
  'worker frozen',
] as const;

/** One thing that is done, and when: milliseconds after the core is up. */
export interface Strike {
  readonly number: number;
  readonly type: (typeof STRIKES)[number];
  readonly after: number;
  /** How long it is frozen, or the core lives. Milliseconds. */
  readonly lasts: number;
}

/** So many ends of the core, and a fourth as many blows to workers, in random order at random moments. */
export function planStrikes(dice: Dice, kills: number, firstNumber: number): Strike[] {
  const strike = (type: Strike['type'], at: number): Strike => ({
    number: firstNumber + at,
    type,
    after: dice.between(20, 1400),
    lasts: dice.between(30, 900),
  });
  const types = Array.from({ length: kills }, () => coreStrike(dice)).flatMap((type) =>
    dice.chance(0.4) ? [type, workerStrike(dice)] : [type],
  );
  return types.map(strike);
}

function coreStrike(dice: Dice): Strike['type'] {
  const roll = dice.fraction();
  if (roll < 0.75) return 'core killed';
  return roll < 0.9 ? 'core killed while it starts' : 'core closed';
}

function workerStrike(dice: Dice): Strike['type'] {
  return dice.pick(['worker killed', 'worker killed at its end', 'worker frozen'] as const) ?? 'worker frozen';
}

/** Whether it counts as an end of the core. */
export function isOfCore({ type }: Strike): boolean {
  return type.startsWith('core');
}

/** Strikes, and knows whom it struck. */
export class Striker {
  readonly #core: TorturedCore;
  readonly #project: StoredProject;
  readonly #dice: Dice;
  /** Runs whose worker was killed. */
  readonly killed = new Set<string>();
  readonly #frozen: Promise<void>[] = [];

  constructor(core: TorturedCore, project: StoredProject, dice: Dice) {
    this.#core = core;
    this.#project = project;
    this.#dice = dice;
  }

  /** Strikes; resolves when a core is up again, and what was killed is known to be dead. */
  async strike(strike: Strike): Promise<void> {
    await delay(systemClock, strike.after);
    switch (strike.type) {
      case 'core killed':
        await this.#core.end('SIGKILL');
        return this.#core.start();
      case 'core closed':
        await this.#core.end('SIGTERM');
        return this.#core.start();
      case 'core killed while it starts':
        await this.#core.end('SIGKILL');
        await this.#killEarly(strike.lasts);
        return this.#core.start();
      case 'worker killed':
        return this.#kill(this.#dice.pick(this.#atWork()));
      case 'worker killed at its end':
        return this.#kill(await this.#ending());
      case 'worker frozen':
        return this.#freeze(this.#dice.pick(this.#atWork()), strike.lasts);
    }
  }

  /** Resolves when nobody is frozen any more. */
  async thawed(): Promise<void> {
    await Promise.all(this.#frozen);
  }

  async #killEarly(ms: number): Promise<void> {
    const child = this.#core.spawn();
    const exited = once(child, 'exit');
    await delay(systemClock, ms);
    child.kill('SIGKILL');
    await exited;
  }

  #atWork(): AttemptRecord[] {
    return (this.#project.live()?.attempts ?? []).filter(({ pid }) => pid !== null);
  }

  /** One whose worker has just told its last word. */
  async #ending(): Promise<AttemptRecord | undefined> {
    let found: AttemptRecord | undefined;
    const look = (): boolean => {
      found = this.#atWork().find((attempt) => this.#hasTold(attempt, '"type":"ended"'));
      return found !== undefined;
    };
    await until('a worker to end', look, 4000).catch(() => undefined);
    return found;
  }

  #hasTold({ attempt_id }: AttemptRecord, words: string): boolean {
    try {
      return readFileSync(join(this.#project.attemptFolder(attempt_id), 'journal.ndjson'), 'latin1').includes(words);
    } catch {
      return false; // It has told nothing yet.
    }
  }

  async #kill(attempt: AttemptRecord | undefined): Promise<void> {
    if (attempt === undefined || !(await this.#signal(attempt, 'SIGKILL'))) return;
    this.killed.add(attempt.run_id);
    const isOver = (): boolean =>
      this.#project.live()?.attempts.every(({ attempt_id }) => attempt_id !== attempt.attempt_id) === true;
    // The core that saw it die stores its last words before anything happens to that core.
    await until(`the end of ${attempt.run_id}`, isOver, 30_000);
  }

  async #freeze(attempt: AttemptRecord | undefined, ms: number): Promise<void> {
    if (attempt === undefined || !(await this.#signal(attempt, 'SIGSTOP'))) return;
    const thaw = async (): Promise<void> => {
      await delay(systemClock, ms);
      await this.#signal(attempt, 'SIGCONT');
    };
    this.#frozen.push(thaw());
  }

  async #signal({ pid, pid_started }: AttemptRecord, signal: NodeJS.Signals): Promise<boolean> {
    if (pid === null || pid_started === null) return false;
    if (!(await isSameProcess({ pid, startTime: pid_started }))) return false;
    process.kill(pid, signal);
    return true;
  }
}
