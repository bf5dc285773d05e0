import type { SpawnError } from '../kit/process-tree/spawn-failure.ts';
import type { FailureReason } from '../protocol/outcome.ts';

/** Why a run failed whose program could not be started. */
export const START_FAILURES: Readonly<Record<SpawnError['code'], FailureReason>> = {
  not_found: 'agent_not_found',
  not_executable: 'agent_not_found',
  cwd_missing: 'process',
  bad_argument: 'bad_request',
  too_large: 'bad_request',
  output_exists: 'storage',
  aborted: 'process',
  failed: 'process',
};
