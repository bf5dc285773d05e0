import type { Assignment } from '../../protocol/frames.ts';
import { resolveInside } from '../../workspace/containment/resolve-inside.ts';
import type { AskAnswer, RunnerPort } from '../contract.ts';
import type { AgentEvent } from './agent-event.ts';

type Ask = Extract<AgentEvent, { type: 'ask' }>;
type Verdict = Pick<AskAnswer, 'choice' | 'note'>;

const OURS = /^mcp__espalier__/;
const ALLOW: Verdict = { choice: 'allow', note: null };
const deny = (note: string): Verdict => ({ choice: 'deny', note });
const PLAN = 'Not run: in the permission mode "plan" nothing is changed or executed.';
const DENIED =
  'Permission was denied. Do not try to get around this; go another way, or say at the end what could not be done';

/** Answers what an agent asks for by the run's permission mode (A1), and asks a person for the rest. */
export class Permissions {
  readonly #port: RunnerPort;
  readonly #assignment: Pick<Assignment, 'permission' | 'workspace'>;
  readonly #remembered = new Set<string>();

  constructor(port: RunnerPort, assignment: Pick<Assignment, 'permission' | 'workspace'>) {
    this.#port = port;
    this.#assignment = assignment;
  }

  /** Rejects when the run is stopped meanwhile. */
  async decide(ask: Omit<Ask, 'answer' | 'type'>): Promise<Verdict> {
    const { permission } = this.#assignment;
    if (this.#isFree(ask)) return ALLOW;
    if (permission === 'plan') return deny(PLAN);
    if (permission === 'edit' && ask.kind === 'edit' && (await this.#isInside(ask.path))) return ALLOW;
    if (this.#remembered.has(ask.tool)) return ALLOW;
    const { tool, title, detail, diff, withdrawn } = ask;
    const answer = await this.#port.ask({ kind: 'permission', title, tool, detail, diff }, withdrawn);
    if (answer.choice !== 'allow') return deny(answer.note?.trim() ? `${DENIED}: ${answer.note.trim()}` : `${DENIED}.`);
    if (answer.remember) this.#remembered.add(tool);
    return ALLOW;
  }

  /** What our own server offers asks for itself where it must. */
  #isFree({ tool, kind }: Omit<Ask, 'answer' | 'type'>): boolean {
    return kind === 'read' || this.#assignment.permission === 'auto' || OURS.test(tool);
  }

  async #isInside(path: string | null): Promise<boolean> {
    return path !== null && (await resolveInside(this.#assignment.workspace, path, { forWrite: true })).ok;
  }
}
