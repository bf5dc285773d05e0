import { SteerMode } from '../../core/protocol/rows.ts';
import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { withLastingCore } from '../core/with-core.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';

/** `espalier steer`: sends a message to a run at work; what became of it is in the ledger (C2). */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const [run_id = '', text = ''] = args.positionals;
  const mode = SteerMode.parse(args.text('mode') ?? 'steer');
  const client_token = `cli-${context.random.hex(24)}`;
  const row = await withLastingCore(context, (client) => client.runs.steer({ run_id, text, mode, client_token }));
  const { state: status, steer_id } = row;
  await context.terminal.out(`${JSON.stringify({ status, steer_id, run_id, mode })}\n`);
  return EXIT.done;
}
