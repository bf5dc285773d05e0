import type { ConversationRow, RunRow, SetRow } from './rows.ts';

/** What a person can pause: while its gate is closed nothing new starts within it; controls always work (R9). */
export interface Gate {
  readonly type: 'run' | 'set' | 'conversation' | 'app';
  /** What is to be resumed; null for the app. */
  readonly id: string | null;
}

/** What of a run says which gates it is within. */
export type GatedRun = Pick<RunRow, 'run_id' | 'paused' | 'delegation_id' | 'parent_run_id'>;

/** The rows that say which gates are closed. */
export interface GateRows {
  readonly app: boolean;
  readonly conversation: Pick<ConversationRow, 'conversation_id' | 'paused'>;
  set(id: string): Pick<SetRow, 'paused'> | undefined;
  run(id: string): GatedRun | undefined;
}

/** The closed gates that a run is within, the nearest first: each holds its start, and all must be opened for it. */
export function closedGates(run: GatedRun, rows: GateRows): Gate[] {
  const { conversation, app } = rows;
  return [
    ...around(run, rows),
    ...(conversation.paused ? [{ type: 'conversation' as const, id: conversation.conversation_id }] : []),
    ...(app ? [{ type: 'app' as const, id: null }] : []),
  ];
}

function around({ run_id, paused, delegation_id, parent_run_id }: GatedRun, rows: GateRows): Gate[] {
  const parent = parent_run_id === null ? undefined : rows.run(parent_run_id);
  const setPaused = delegation_id !== null && rows.set(delegation_id)?.paused === true;
  return [
    ...(paused ? [{ type: 'run' as const, id: run_id }] : []),
    ...(setPaused ? [{ type: 'set' as const, id: delegation_id }] : []),
    ...(parent === undefined ? [] : around(parent, rows)),
  ];
}
