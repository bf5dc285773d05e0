import type { HealthCheck } from '../../../core/protocol/health.ts';

/** The checks as a text to hand on: no key, no value of a header, nothing that people wrote. */
export function diagnosticsText(checks: readonly HealthCheck[], browser: string): string {
  const lines = checks.map(({ name, ok, note, detail }) => `${ok ? (note ?? 'ok ') : 'BAD'} ${name}: ${detail}`);
  return ['Espalier diagnostics', ...lines, `Page: ${browser}`, ''].join('\n');
}
