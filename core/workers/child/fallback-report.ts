import { NO_TOKENS } from '../../protocol/token-sums.ts';
import { NOTHING_ELSE } from '../../protocol/bare-report.ts';
import type { RunReport } from '../../protocol/report.ts';
import { StopSignal } from '../../runners/contract.ts';
import type { RunPort } from './run-port.ts';

/** The report of a run whose runner gave none: it rejected, or did not end when it was told to. */
export function fallbackReport(port: RunPort, cause: unknown): RunReport {
  const active_seconds = port.activeSeconds();
  const cut = cause instanceof StopSignal ? cause.why : null;
  const message = cause instanceof Error ? cause.message : String(cause);
  return {
    progress: { ...(port.lastProgress ?? NOTHING_DONE), active_seconds },
    answer: '',
    ...NOTHING_ELSE,
    error: cut === null ? { reason: 'internal', message: `Internal error: ${message}` } : null,
    cut_by: cut,
    missed_steer: port.undeliveredSteers(),
  };
}

const NOTHING_DONE = {
  turns: 0,
  tool_calls: 0,
  tokens: NO_TOKENS,
  cost_usd: null,
  cost_status: 'unknown',
} as const;
