import { oneLineOf } from '../../core/host/export/plain-words.ts';
import { assertNever } from '../../core/kit/assert-never.ts';
import type { HealthCheck } from '../../core/protocol/health.ts';
import { table } from '../terminal/table.ts';

/** Checks as lines for people, each with its mark. */
export function checkTable(checks: readonly HealthCheck[]): string {
  return table(checks.map((check) => [mark(check), check.name, oneLineOf(check.detail, 300)]));
}

/** The mark of what is well is for that alone: what is not here, or has no effect, has one of its own. */
function mark({ ok, note }: HealthCheck): string {
  if (!ok) return '✗';
  switch (note) {
    case 'absent':
      return '–';
    case 'unheeded':
      return '⚠';
    case undefined:
      return '✓';
    default:
      return assertNever(note);
  }
}
