import { parseArgs } from 'node:util';
import { nearestWord } from '../../core/host/progress/nearest-word.ts';
import { err, ok, type Result } from '../../core/kit/result.ts';
import type { CommandSpec, OptionSpec, ParsedArguments } from './command-spec.ts';

/** What a command line asks for. */
export type Invocation =
  | { readonly type: 'run'; readonly spec: CommandSpec; readonly args: ParsedArguments }
  | { readonly type: 'help'; readonly spec: CommandSpec | null; readonly group: string | null }
  | { readonly type: 'version' };

/** Why a command line is not understood, in words. */
export interface UsageProblem {
  readonly message: string;
  readonly spec: CommandSpec | null;
}

type Parsed = Result<Invocation, UsageProblem>;

/** Reads a command line (without program names). */
export function parseArguments(argv: readonly string[], commands: readonly CommandSpec[]): Parsed {
  const [first, second] = argv;
  if (first === undefined) return err({ message: 'Name a command.', spec: null });
  if (first === '--version' || first === '-v') return ok({ type: 'version' });
  if (first === '--help' || first === '-h') return ok({ type: 'help', spec: null, group: null });
  if (first === 'help') return helpOn(argv.slice(1), commands);
  const spec = commands.find(({ name }) => name === first || name === `${first} ${second ?? ''}`);
  if (spec !== undefined) return parseCommand(spec, argv.slice(spec.name.split(' ').length));
  return unknownCommand(first, second, commands);
}

function helpOn(words: readonly string[], commands: readonly CommandSpec[]): Parsed {
  const name = words.join(' ');
  if (name === '') return ok({ type: 'help', spec: null, group: null });
  const spec = commands.find((one) => one.name === name);
  if (spec !== undefined) return ok({ type: 'help', spec, group: null });
  return unknownCommand(words[0] ?? '', '--help', commands);
}

function unknownCommand(first: string, second: string | undefined, commands: readonly CommandSpec[]): Parsed {
  const inGroup = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (inGroup.length > 0) {
    if (second === '--help' || second === '-h') return ok({ type: 'help', spec: null, group: first });
    const words = inGroup.map(({ name }) => name.split(' ')[1] ?? '');
    if (second === undefined) return err({ message: `Say what of "${first}": ${words.join(', ')}.`, spec: null });
    return err({ message: `There is no command "${first} ${second}".${meant(second, words)}`, spec: null });
  }
  const words = new Set(commands.filter(({ hidden }) => hidden !== true).map(({ name }) => name.split(' ')[0] ?? ''));
  return err({ message: `There is no command "${first}".${meant(first, words)}`, spec: null });
}

function meant(word: string, known: Iterable<string>, prefix = ''): string {
  const nearest = nearestWord(word, known);
  return nearest === null ? '' : ` Did you mean "${prefix}${nearest}"?`;
}

function parseCommand(spec: CommandSpec, argv: readonly string[]): Parsed {
  const problem = (message: string): Parsed => err({ message, spec });
  const options = Object.fromEntries(
    Object.entries(spec.options).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const help = { type: 'boolean' as const, short: 'h' };
  const { values, positionals, tokens } = parseArgs({
    args: [...argv],
    options: { ...options, help },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  if (values['help'] === true) return ok({ type: 'help', spec, group: null });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const wrong = optionProblem(spec, token);
    if (wrong !== null) return problem(wrong);
  }
  const { min, max } = spec.takes;
  if (positionals.length < min) return problem(`"${spec.name}" needs ${spec.usage}.`);
  if (positionals.length > max) {
    return problem(`"${spec.name}" takes no "${positionals[max] ?? ''}". Put text with spaces in quotes.`);
  }
  for (const [at, given] of positionals.entries()) {
    const wrong = positionalProblem(spec, argumentName(spec, at), given);
    if (wrong !== null) return problem(`"${spec.name}" needs ${spec.usage}; ${wrong}`);
  }
  const text = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  return ok({
    type: 'run',
    spec,
    args: {
      positionals,
      flag: (name) => values[name] === true,
      text,
      number: (name) => (text(name) === undefined ? undefined : Number(text(name))),
    },
  });
}

/** What help calls the positional argument at a place; the last one stands for all behind it. */
function argumentName({ usage }: CommandSpec, at: number): string {
  const names = usage.split(' ');
  return (names[at] ?? names.at(-1) ?? '').replace(/[[\]…]/g, '');
}

/** What an id is of, by its beginning. */
const KINDS: readonly (readonly [prefix: string, kind: string, argument: string])[] = [
  ['run_', 'a run', 'RUN'],
  ['deleg_', 'a set', 'SET'],
  ['conv_', 'a conversation', 'CONVERSATION'],
];

function positionalProblem({ takesBlank }: CommandSpec, name: string, given: string): string | null {
  if (given.trim() === '') return takesBlank === true ? null : `${name} is blank.`;
  if (!KINDS.some(([, , argument]) => argument === name)) return null;
  const other = KINDS.find(([prefix, , argument]) => argument !== name && given.startsWith(prefix));
  return other === undefined ? null : `${given} is ${other[1]}.`;
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function optionProblem(spec: CommandSpec, token: OptionToken): string | null {
  const { name, rawName: raw, value } = token;
  const option = Object.hasOwn(spec.options, name) ? spec.options[name] : undefined;
  if (option === undefined) {
    if (/^-\d/.test(raw)) return `What begins with - is read as an option: put -- before ${raw} if it is a value.`;
    return `"${spec.name}" has no option ${raw}.${meant(name, [...Object.keys(spec.options), 'help'], '--')}`;
  }
  if (option.value === undefined) return value === undefined ? null : `${raw} takes no value.`;
  if (value === undefined || value.trim() === '' || isNextOption(option, token)) return `${raw} needs ${option.value}.`;
  return valueProblem(option, raw, value);
}

/** What looks like another option was not meant as the value; a number below zero was. */
function isNextOption({ number }: OptionSpec, { value = '', inlineValue }: OptionToken): boolean {
  return inlineValue !== true && /^-./.test(value) && !(number !== undefined && /^-[\d.]/.test(value));
}

function valueProblem(option: OptionSpec, raw: string, value: string): string | null {
  const { choices } = option;
  if (choices !== undefined && !choices.includes(value)) {
    return `${raw} is one of ${choices.join(', ')}, not "${value}".${meant(value, choices)}`;
  }
  return option.number === undefined ? null : numberProblem(option, raw, value);
}

function numberProblem({ number, most = Number.MAX_VALUE }: OptionSpec, raw: string, value: string): string | null {
  const parsed = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (number === 'port') {
    return Number.isInteger(parsed) && parsed <= 65_535 ? null : `${raw} is a port from 0 to 65535, not "${value}".`;
  }
  if (number === 'whole' && !Number.isInteger(parsed)) return `${raw} is a whole number above 0, not "${value}".`;
  if (parsed > most) return `${raw} is at most ${String(most)}, not ${value}.`;
  return parsed > 0 ? null : `${raw} is a number above 0, not "${value}".`;
}
