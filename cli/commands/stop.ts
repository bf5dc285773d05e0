import type { StopReceipt } from '../../core/protocol/report.ts';
import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { withCore } from '../core/with-core.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';
import { oneLineOf } from '../../core/host/export/plain-words.ts';

/** `espalier stop`: stops and prints the receipt; status 1 when something survived (C3). */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const [id = ''] = args.positionals;
  const receipt = await withCore(context, (client) => client.runs.stop({ id }));
  if (args.flag('json')) await context.terminal.out(`${JSON.stringify(receipt)}\n`);
  else await context.terminal.show(describe(receipt));
  return receipt.survivors.length === 0 ? EXIT.done : EXIT.refused;
}

function describe({ run_ids, ended, survivors, proof }: StopReceipt): string {
  if (run_ids.length === 0) return 'Nothing was live.\n';
  const how = proof.method === 'unknown' ? `not proved: ${proof.reason}` : proof.method.replace('_', ' ');
  const line = (mark: string, { pid, command }: StopReceipt['ended'][number]): string =>
    `  ${mark} ${pid} ${oneLineOf(command, 100)}`;
  return [
    `Stopped ${run_ids.length === 1 ? '1 run' : `${run_ids.length} runs`} (${how}).`,
    ...run_ids.map((id) => `  ${id}`),
    ...ended.map((process) => line('ended', process)),
    ...survivors.map((process) => line('STILL ALIVE', process)),
    '',
  ].join('\n');
}
