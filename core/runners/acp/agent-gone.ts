import type { RunReport } from '../../protocol/report.ts';
import { oneLine, reasonInWords } from '../agent-failure.ts';

/** The agent is not there any more. */
export class AgentGone extends Error {
  readonly failure: NonNullable<RunReport['error']>;

  constructor(what: string, words: string) {
    super(words === '' ? `${what}.` : `${what}: ${oneLine(words)}`);
    this.name = 'AgentGone';
    this.failure = { reason: reasonInWords(words) ?? 'process', message: this.message };
  }
}
