import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { readBatchFile, tokenOf } from '../core/batch-file.ts';
import { withLastingCore } from '../core/with-core.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';

/** `espalier add`: adds the tasks of a batch file to a set that has not ended (S8); prints the answer. */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const [delegation_id = '', path = ''] = args.positionals;
  const file = await readBatchFile(context, path);
  const { note, ...added } = await withLastingCore(context, async (client) => {
    const { batch } = await client.batches.parse({ project_id: null, ...file });
    const client_token = tokenOf(batch) ?? `cli-${context.random.hex(24)}`;
    return client.sets.add({ delegation_id, batch, client_token });
  });
  context.terminal.note(note);
  await context.terminal.out(`${JSON.stringify(added)}\n`);
  return EXIT.done;
}
