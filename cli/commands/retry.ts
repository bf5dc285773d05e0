import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { withLastingCore } from '../core/with-core.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';

/** `espalier retry`: a new run in the place of an ended one (C5); prints where it is. */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const [run_id = ''] = args.positionals;
  const client_token = `cli-${context.random.hex(24)}`;
  const edits = { goal: args.text('goal'), agent: args.text('agent'), model: args.text('model') };
  const { note, ...begun } = await withLastingCore(context, (client) =>
    client.runs.retry({ run_id, client_token, ...edits }),
  );
  context.terminal.note(note);
  await context.terminal.out(`${JSON.stringify(begun)}\n`);
  return EXIT.done;
}
