import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { withLastingCore } from '../core/with-core.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';

/** `espalier continue`: goes on with the session of an ended run (C5); prints which run does. */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const [run_id = '', text = ''] = args.positionals;
  const client_token = `cli-${context.random.hex(24)}`;
  const { note, ...begun } = await withLastingCore(context, (client) =>
    client.runs.continue({ run_id, text, client_token }),
  );
  context.terminal.note(note);
  await context.terminal.out(`${JSON.stringify(begun)}\n`);
  return EXIT.done;
}
