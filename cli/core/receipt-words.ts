import type { StopReceipt } from '../../core/protocol/report.ts';
import { oneLineOf } from '../../core/host/export/plain-words.ts';

/** What a stop ended, how that is known, and what is still there (C3); `named`: with the id of each run. */
export function receiptLines({ run_ids, ended, survivors, proof }: StopReceipt, named: boolean): string[] {
  if (run_ids.length === 0) return ['Nothing was live.'];
  const how = proof.method === 'unknown' ? `not proved: ${proof.reason}` : proof.method.replace('_', ' ');
  const line = (mark: string, { pid, command }: StopReceipt['ended'][number]): string =>
    `  ${mark} ${pid} ${oneLineOf(command, 100)}`;
  return [
    `Stopped ${run_ids.length === 1 ? '1 run' : `${run_ids.length} runs`} (${how}).`,
    ...(named ? run_ids.map((id) => `  ${id}`) : []),
    ...ended.map((process) => line('ended', process)),
    ...survivors.map((process) => line('STILL ALIVE', process)),
  ];
}
