import { object, text } from './json.ts';

/** What a later attempt, or a run that continues this one, needs to go on with the agent's own session. Opaque to the core. */
export interface CliSession {
  readonly v: 1;
  readonly runner: 'cli';
  readonly run_id: string;
  readonly adapter: string;
  /** The agent's own id. */
  readonly session: string;
  readonly open_delegations: readonly string[];
}

/** Reads a stored session; null when there is none, or it is another agent's. */
export function readSession(value: unknown, adapter: string): CliSession | null {
  const { v, runner, run_id, adapter: of, session, open_delegations } = object(value);
  if (v !== 1 || runner !== 'cli' || of !== adapter || text(session) === '') return null;
  const open = Array.isArray(open_delegations) ? open_delegations.map(String) : [];
  return { v, runner, run_id: text(run_id), adapter, session: text(session), open_delegations: open };
}
