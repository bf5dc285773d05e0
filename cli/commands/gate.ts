import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { Failure } from '../core/failure.ts';
import { withCore, withLastingCore } from '../core/with-core.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';

/** `espalier pause`: holds a run, set or conversation, or everything (R9). */
export async function pause(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const id = whatOf(args);
  const { note } = await withCore(context, (client) => client.runs.pause({ id }));
  context.terminal.note(note);
  return EXIT.done;
}

/** `espalier resume`: undoes a pause; what it held goes on, if need be under a core in the background. */
export async function resume(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const id = whatOf(args);
  const { note } = await withLastingCore(context, (client) => client.runs.resume({ id }));
  context.terminal.note(note);
  return EXIT.done;
}

/** The id that was named, or null for everything. */
function whatOf(args: ParsedArguments): string | null {
  const [id] = args.positionals;
  if ((id === undefined) === args.flag('all')) return id ?? null;
  throw new Failure(EXIT.usage, 'Name a run, set or conversation, or say --all for everything.');
}
