import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { withCore } from '../core/with-core.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';
import { oneLineOf } from '../../core/host/export/plain-words.ts';
import { table } from '../terminal/table.ts';

/** `espalier agents list`. */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const agents = await withCore(context, (client) => client.agents.list());
  const rows = agents.map((agent) => [agent.id, agent.runner, agent.source, oneLineOf(agent.description, 100)]);
  await context.terminal.out(args.flag('json') ? `${JSON.stringify(agents)}\n` : table(rows));
  return EXIT.done;
}
