import { join } from 'node:path';
import { nearestWord } from '../../core/host/progress/nearest-word.ts';
import type { Settings } from '../../core/protocol/settings.ts';
import type { ParsedArguments } from '../arguments/command-spec.ts';
import { SETTING_KEYS } from '../arguments/setting-keys.ts';
import type { CommandContext } from '../command-context.ts';
import { Failure } from '../core/failure.ts';
import { refuseFaultyHome } from '../core/home-fault.ts';
import { withCore } from '../core/with-core.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';

/** `espalier config path`: where the settings are, also when there are none yet. */
export async function path({ terminal, home }: CommandContext): Promise<ExitStatus> {
  refuseFaultyHome(home);
  await terminal.out(`${join(home, 'settings.json')}\n`);
  return EXIT.done;
}

/** `espalier config get`: one setting by its dotted name, or all; texts as they are, everything else as JSON. */
export async function get(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const [key] = args.positionals;
  const settings = await withCore(context, (client) => client.settings.get());
  const value = key === undefined ? settings : valueAt(settings, key);
  if (value === undefined) throw new Failure(EXIT.refused, unsetWords(key ?? ''));
  await context.terminal.out(`${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}\n`);
  return EXIT.done;
}

/** `espalier config set`: changes one setting. `null` takes it back to its default. */
export async function set(context: CommandContext, args: ParsedArguments): Promise<ExitStatus> {
  const [key = '', given = ''] = args.positionals;
  await withCore(context, (client) => client.settings.set({ key, value: parseValue(given) }));
  return EXIT.done;
}

function parseValue(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return given; // Not JSON: a text, which needs no quotes here.
  }
}

/** A key that may be there and is not is told apart from one that there is not. */
function unsetWords(key: string): string {
  const known = SETTING_KEYS.map(([name]) => name);
  if (known.some((name) => name === key || key.startsWith(`${name}.`))) return `${key} is not set.`;
  const groups = new Set(known.flatMap((name) => (name.includes('.') ? [name.split('.')[0] ?? ''] : [])));
  const nearest = nearestWord(key, [...known, ...groups]);
  return `There is no setting "${key}".${nearest === null ? '' : ` Did you mean "${nearest}"?`}`;
}

function valueAt(settings: Settings, key: string): unknown {
  let value: unknown = settings;
  for (const step of key.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}
