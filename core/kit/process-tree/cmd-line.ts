/** No AutoRun, exactly the outer quotes taken off, `!` left alone, run the rest. */
const SWITCHES = ['/d', '/s', '/v:off', '/c'] as const;

/** Arguments with which `cmd` runs a line as it stands, whatever quotes are in it; {@link isCmdLine} knows them again. */
export function cmdArguments(line: string): string[] {
  return [...SWITCHES, `"${line}"`];
}

/** Whether these are the arguments of a line for `cmd`, which must reach it without the quotes that programs of the C runtime expect. */
export function isCmdLine(args: readonly string[]): boolean {
  return args.length === SWITCHES.length + 1 && SWITCHES.every((word, at) => args[at] === word);
}
