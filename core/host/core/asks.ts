import { decideAnswer, type AskChoice } from '../../delegation/decide-ask.ts';
import type { Clock } from '../../kit/clock.ts';
import { ok, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import type { AskRow } from '../../protocol/rows.ts';
import type { Grant } from '../../registry/store/records.ts';
import { isGranted } from '../../registry/store/read-rows.ts';
import type { ProjectEngine } from '../engine/project-engine.ts';

export interface AsksDeps {
  readonly clock: Clock;
  /** A client that can answer is connected. */
  canAnswer(): boolean;
  /** Milliseconds for which an ask waits when nobody can answer (A1). */
  readonly unattendedMs: number;
}

const UNATTENDED_NOTE =
  'Nobody is here to be asked, so this was denied. Go on without it, or say in your answer what you would need. A person can allow it beforehand with a wider permission mode.';

/** Settles asks that need no person, or will not get one: consent given earlier, and the unattended rule (A1, A2). */
export class Asks {
  readonly #deps: AsksDeps;
  readonly #waiting = new Map<string, () => void>();

  constructor(deps: AsksDeps) {
    this.#deps = deps;
  }

  /** An ask was opened, or found open after a restart. */
  opened(engine: ProjectEngine, conversationId: string, askId: string): void {
    const ask = engine.tree(conversationId)?.asks.get(askId)?.row;
    if (ask === undefined || ask.state !== 'open') return;
    if (ask.kind === 'permission' && isGranted(engine.db, grantsThatCover(engine, conversationId, ask))) {
      void this.answer(engine, conversationId, askId, { choice: 'once', note: null, by: 'an earlier consent' });
      return;
    }
    if (!this.#deps.canAnswer()) this.#denyLater(engine, conversationId, askId);
  }

  #denyLater(engine: ProjectEngine, conversationId: string, askId: string): void {
    const deny = (): void => {
      this.#waiting.delete(askId);
      if (this.#deps.canAnswer()) return;
      void this.answer(engine, conversationId, askId, { choice: 'deny', note: UNATTENDED_NOTE, by: 'nobody' });
    };
    if (this.#deps.unattendedMs === 0) return deny();
    this.#waiting.get(askId)?.();
    this.#waiting.set(askId, this.#deps.clock.after(this.#deps.unattendedMs, deny));
  }

  /** The last client that could answer has gone: what is open waits for its time and is then denied. */
  nobodyIsThere(engines: readonly ProjectEngine[], open: readonly AskRow[]): void {
    for (const ask of open) {
      const engine = engines.find(({ projectId }) => projectId === ask.project_id);
      if (engine) this.#denyLater(engine, ask.conversation_id, ask.ask_id);
    }
  }

  /** Answers an ask and remembers consent beyond this call. */
  answer(
    engine: ProjectEngine,
    conversationId: string,
    askId: string,
    answer: { readonly choice: AskChoice; readonly note: string | null; readonly by: string },
  ): Promise<Result<AskRow, ApiError>> {
    const answered = engine.command(conversationId, (step, flush) => {
      const decided = decideAnswer(step, askId, answer);
      if (!decided.ok) return decided;
      const run = step.tree.runs.get(decided.value.run_id);
      const grant = run === undefined ? null : grantFor(answer.choice, decided.value, run.delegation_id);
      if (grant !== null) flush.grants.push(grant);
      return ok(decided.value);
    });
    void answered.then((result) => result.ok && this.#forget(askId));
    return answered;
  }

  #forget(askId: string): void {
    this.#waiting.get(askId)?.();
    this.#waiting.delete(askId);
  }

  close(): void {
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
  }
}

function grantsThatCover(engine: ProjectEngine, conversationId: string, ask: AskRow): Grant[] {
  const tool = ask.tool ?? '';
  const set = engine.tree(conversationId)?.runs.get(ask.run_id)?.delegation_id;
  const base = { tool, detail: ask.detail };
  return [
    { ...base, scope: 'project', scope_id: ask.project_id },
    { ...base, scope: 'run', scope_id: ask.run_id },
    ...(set ? [{ ...base, scope: 'set' as const, scope_id: set }] : []),
  ];
}

/** Within a run or set consent holds for the tool; in a project for exactly this command, or for all edits. */
function grantFor(choice: AskChoice, ask: AskRow, delegationId: string | null): Grant | null {
  const tool = ask.tool ?? '';
  switch (choice) {
    case 'run':
      return { scope: 'run', scope_id: ask.run_id, tool, detail: '*' };
    case 'set':
      return delegationId === null
        ? { scope: 'run', scope_id: ask.run_id, tool, detail: '*' }
        : { scope: 'set', scope_id: delegationId, tool, detail: '*' };
    case 'project':
      return { scope: 'project', scope_id: ask.project_id, tool, detail: tool === 'bash' ? ask.detail : '*' };
    case 'once':
    case 'deny':
    case 'text':
      return null;
  }
}
