import type { EndProof } from '../../core/protocol/report.ts';
import { runStrings } from './run-strings.ts';

const words = runStrings.result;

/** How the end of the run was proved (C4). */
export function proofWords(proof: EndProof): string {
  switch (proof.method) {
    case 'observed':
      return words.provedBy[proof.how] ?? proof.how;
    case 'survivors':
      return words.survivors;
    case 'unknown':
      return proof.reason;
    case 'not_started':
      return 'not started';
  }
}
