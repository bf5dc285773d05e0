import { nearestWord } from '../../core/host/progress/nearest-word.ts';
import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { Failure } from '../core/failure.ts';
import { withLastingCore } from '../core/with-core.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';

const CHOICES = ['once', 'run', 'set', 'project', 'deny'] as const;

/** `espalier answer`: answers a permission with a choice, a question with a text (A2). */
export async function run(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const [ask_id = '', given = ''] = args.positionals;
  const row = await withLastingCore(context, async (client) => {
    const ask = (await client.asks.list()).find((one) => one.ask_id === ask_id);
    const choice = ask?.kind === 'question' ? ('text' as const) : choiceOf(given, ask !== undefined);
    const note = choice === 'text' ? given : (args.text('note') ?? null);
    return client.asks.answer({ ask_id, choice, note, client: 'espalier answer' });
  });
  context.terminal.note(`${ask_id}: ${row.choice ?? row.state}`);
  return EXIT.done;
}

/** The choice that a word names. Of an ask that is not open the core says why it cannot be answered. */
function choiceOf(given: string, isPermission: boolean): (typeof CHOICES)[number] | 'text' {
  const choice = CHOICES.find((one) => one === given.toLowerCase());
  if (choice !== undefined) return choice;
  if (!isPermission) return 'text';
  const meant = nearestWord(given, CHOICES);
  const hint = meant === null ? '' : ` Did you mean "${meant}"?`;
  throw new Failure(EXIT.usage, `A permission is answered with ${CHOICES.join(', ')}, not "${given}".${hint}`);
}
