import { fieldsOf, numberOf, textOf } from './wire.ts';

/** What a later attempt, or a run that continues this one, needs to go on. Plain JSON; opaque to the core. */
export interface AcpState {
  readonly v: 1;
  readonly runner: 'acp';
  /** The run that wrote it. */
  readonly run_id: string;
  /** The agent's own id of the session, as it gave it to this very run (B44). */
  readonly session_id: string;
  readonly requests: number;
  /** Delegations in the background whose completion has not come yet. */
  readonly open_delegations: readonly string[];
}

/** Reads a stored state; null when there is none of this runner. */
export function readState(value: unknown): AcpState | null {
  const { v, runner, run_id, session_id, requests, open_delegations } = fieldsOf(value);
  const [run, session] = [textOf(run_id), textOf(session_id)];
  if (v !== 1 || runner !== 'acp' || run === null || session === null) return null;
  const open = Array.isArray(open_delegations) ? open_delegations.filter((id) => typeof id === 'string') : [];
  return { v, runner, run_id: run, session_id: session, requests: numberOf(requests) ?? 0, open_delegations: open };
}
