import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { receiptLines } from '../core/receipt-words.ts';
import { withCore } from '../core/with-core.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';

/** `espalier stop`: stops and prints the receipt; status 1 when something survived (C3). */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const [id = ''] = args.positionals;
  const receipt = await withCore(context, (client) => client.runs.stop({ id }));
  if (args.flag('json')) await context.terminal.out(`${JSON.stringify(receipt)}\n`);
  else await context.terminal.show(`${receiptLines(receipt, true).join('\n')}\n`);
  return receipt.survivors.length === 0 ? EXIT.done : EXIT.refused;
}
