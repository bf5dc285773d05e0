import type { Assignment } from '../../protocol/frames.ts';

/** What an attempt is, whether it is started or taken over. */
export interface AttemptFacts {
  readonly id: string;
  readonly runId: string;
  readonly folder: string;
  readonly committed: number;
  readonly assignment: Assignment | null;
  readonly tokenHash: string | null;
  readonly secretHash: string | null;
}
