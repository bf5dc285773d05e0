import type { Effect } from '../../delegation/effects.ts';
import type { Admission } from '../../delegation/admission.ts';
import type { DayFigures } from '../../delegation/budget.ts';
import { waitsForBudget } from '../../delegation/decide-budget.ts';
import { decideEnd } from '../../delegation/decide-end.ts';
import { decidePlace, decideRestart } from '../../delegation/decide-attempt.ts';
import { assertNever } from '../../kit/assert-never.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import { hostProcesses } from '../../kit/process-tree/host-processes.ts';
import type { RunRow } from '../../protocol/rows.ts';
import type { Settings } from '../../protocol/settings.ts';
import type { AttemptRecord } from '../../registry/store/records.ts';
import type { ProjectEngine } from '../engine/project-engine.ts';
import type { Asks } from './asks.ts';
import type { Attempts } from './attempts.ts';
import { takeUpCall, type CallDeps } from './calls.ts';
import type { Closings } from './closings.ts';
import { LatePlaces, type LatePlacesDeps } from './late-places.ts';
import type { OutsideClients } from './outside-clients.ts';
import type { Starts } from './starts.ts';
import { writeSummary } from './write-summary.ts';

const SUMMARY_AGAIN_MS = 2000;

export interface EffectsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly admission: Admission;
  readonly attempts: Attempts;
  readonly asks: Asks;
  readonly starts: Starts;
  readonly closings: Closings;
  /** Leads at work outside, which have no worker. */
  readonly outside: () => OutsideClients;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Those that hold in a project, or in any. */
  settings(projectId?: string): Settings;
  project(id: string): { readonly path: string } | undefined;
  agentsIn: CallDeps['agentsIn'];
  /** New starts are held. */
  paused(): boolean;
  /** What all projects have used today, and hold (R5). */
  today(): DayFigures;
  /** The number of places taken has changed. */
  placesChanged(): void;
}

/** Carries out what committed decisions ask for. */
export class Effects {
  readonly #deps: EffectsDeps;
  readonly #where = new Map<string, { engine: ProjectEngine; conversationId: string }>();
  /** Of each run with calls under way, the last one. */
  readonly #lastCalls = new Map<string, Promise<void>>();
  #granting: NodeJS.Immediate | null = null;
  readonly #late: LatePlaces;

  constructor(deps: EffectsDeps) {
    this.#deps = deps;
    const source = hostProcesses();
    const living: LatePlacesDeps['living'] = (identities) => source.living(identities);
    this.#late = new LatePlaces({ clock: deps.clock, living, give: (runId) => this.#give(runId) });
  }

  /** Nothing that waits is carried out any more. */
  close(): void {
    this.#late.close();
  }

  #give(runId: string): void {
    this.#deps.admission.give(runId);
    this.grantSoon();
  }

  perform(engine: ProjectEngine, conversationId: string, effect: Effect, done: () => void): void {
    const { attempts, admission, asks, starts, closings } = this.#deps;
    switch (effect.type) {
      case 'ask_place':
        return this.askPlace(engine, conversationId, effect.run_id, effect.head);
      case 'give_place':
        if (effect.unproved !== undefined) return this.#late.hold(effect.run_id, effect.unproved);
        return this.#give(effect.run_id);
      case 'return_place':
        this.#where.set(effect.run_id, { engine, conversationId });
        admission.putBack(effect.run_id);
        return this.grantSoon();
      case 'start_attempt':
        starts.begin(engine, conversationId, effect.run_id, effect.attempt_id);
        return done();
      case 'welcome_attempt':
        return attempts.pool.welcome(effect.attempt_id);
      case 'send':
        if (this.#deps.outside().send(effect.run_id, effect.frame)) return;
        return attempts.send(effect.run_id, effect.frame);
      case 'stop_attempt':
        return this.#stop(engine, conversationId, effect.run_id, effect.reason);
      case 'close_run':
        closings.begin(engine, conversationId, effect.run_id);
        return this.grantSoon();
      case 'release_attempt':
        return this.#release(effect.run_id);
      case 'restart_run':
        this.#deps.clock.after(effect.delay_ms, () => {
          void engine.fact(conversationId, (step) => decideRestart(step, effect.run_id));
        });
        return;
      case 'take_up_call':
        void this.takeUpCall(engine, conversationId, effect.run_id, effect.call_id).then(done);
        return;
      case 'write_summary':
        return this.writeSummary(effect, done);
      case 'finish_change':
        return; // Whoever wrote it down is at it.
      case 'settle_ask':
        return asks.opened(engine, conversationId, effect.ask_id);
      default:
        assertNever(effect);
    }
  }

  /** Writes the whole of a text that was told in part, as soon as the disk takes it (D6): its path has been told. */
  writeSummary(
    { path, text }: Pick<Extract<Effect, { type: 'write_summary' }>, 'path' | 'text'>,
    done: () => void,
  ): void {
    const { clock, logger } = this.#deps;
    const write = (): void => {
      writeSummary(path, text);
      done();
    };
    const retry = (): void => {
      try {
        write();
      } catch {
        clock.after(SUMMARY_AGAIN_MS, retry);
      }
    };
    try {
      write();
    } catch (error) {
      logger.error({ path, error: String(error) }, 'a summary could not be written; it is tried again');
      clock.after(SUMMARY_AGAIN_MS, retry);
    }
  }

  /** Carries out a stored call of a run, after those that it made before: sets are numbered in the order of their calls (L1). */
  takeUpCall(engine: ProjectEngine, conversationId: string, runId: string, callId: string): Promise<void> {
    const { environment, settings, project, agentsIn } = this.#deps;
    const deps = { environment, settings, project, agentsIn };
    const call = Promise.allSettled([this.#lastCalls.get(runId)])
      .then(() => takeUpCall(engine, conversationId, runId, callId, deps))
      .finally(() => {
        if (this.#lastCalls.get(runId) === call) this.#lastCalls.delete(runId);
      });
    this.#lastCalls.set(runId, call);
    return call;
  }

  /** Waits for the worker of an attempt that an earlier core began. */
  adopt(engine: ProjectEngine, run: RunRow, record: AttemptRecord): void {
    this.#deps.starts.adopt(engine, run, record);
  }

  /** Queues a run for a place. */
  askPlace(engine: ProjectEngine, conversationId: string, runId: string, head: boolean): void {
    const tree = engine.tree(conversationId);
    const run = tree?.runs.get(runId);
    if (run === undefined) return;
    this.#where.set(runId, { engine, conversationId });
    const set = run.delegation_id === null ? undefined : tree?.sets.get(run.delegation_id);
    const group = run.delegation_id ?? runId;
    this.#deps.admission.ask({ run_id: runId, group, groupCap: set?.max_concurrent ?? 1, head });
    this.grantSoon();
  }

  /** Hands out free places, once for all requests of this turn of the loop. */
  grantSoon(): void {
    this.#granting ??= setImmediate(() => {
      this.#granting = null;
      this.#grant();
    });
  }

  #grant(): void {
    const { admission, placesChanged } = this.#deps;
    const granted = admission.grant((runId) => this.#isHeld(runId));
    placesChanged();
    for (const runId of granted) {
      const where = this.#where.get(runId);
      this.#where.delete(runId);
      if (where === undefined) admission.give(runId);
      else void where.engine.fact(where.conversationId, (step) => decidePlace(step, runId));
    }
  }

  /** A closed gate holds the run's start, or its own gate holds the run (R9); its row says so. */
  #isHeld(runId: string): boolean {
    const where = this.#where.get(runId);
    const run = where?.engine.loaded(where.conversationId)?.runs.get(runId);
    if (run?.reason === 'budget') return this.#waitsForBudget(runId);
    return run?.reason === 'paused' || (run?.state === 'queued' && this.#deps.paused());
  }

  /** Looked at anew whenever places are handed out, which happens after each end: no wake-up can be lost (R5). */
  #waitsForBudget(runId: string): boolean {
    const where = this.#where.get(runId);
    const tree = where?.engine.loaded(where.conversationId);
    const run = tree?.runs.get(runId);
    if (tree === undefined || run === undefined) return false;
    const { settings, today } = this.#deps;
    try {
      return waitsForBudget({ tree, context: { limits: settings(run.project_id).limits, today } }, run);
    } catch {
      return false; // Storage trouble: the decision on it is made again until it can be.
    }
  }

  #stop(engine: ProjectEngine, conversationId: string, runId: string, reason: 'stop' | 'deadline' | 'stalled'): void {
    const { attempts, settings, starts, closings } = this.#deps;
    if (starts.stop(runId) || closings.stop(runId)) return;
    const attempt = attempts.ofRun(runId);
    if (attempt !== null) return attempts.pool.stop(attempt, reason, settings().limits.stopGraceSeconds * 1000);
    // Nothing of it is at work any more.
    void engine.fact(conversationId, (step) => decideEnd(step, runId, { stopped: true }, null));
  }

  #release(runId: string): void {
    const attempt = this.#deps.attempts.ofRun(runId);
    if (attempt !== null) this.#deps.attempts.pool.release(attempt);
  }
}
