import { OUTPUT_REF } from './output-refs.ts';

type Quote = '' | "'" | '"';

/** How the value of a variable is written so that it is one word, by the quotes around the place. */
const WORD: Readonly<Record<Quote, (variable: string) => string>> = {
  '': (variable) => `"$${variable}"`,
  '"': (variable) => `$${variable}`,
  "'": (variable) => `'"$${variable}"'`,
};

/**
 * A shell line with each `{outputs.<id>}` as one quoted word (R10). A POSIX shell gets the outputs as values of variables, which it never
 * reads as commands again, whatever quotes or substitutions are around the place; `cmd` has no such thing and gets a quoted text.
 */
export function replaceInShell(
  line: string,
  outputOf: (id: string) => string | undefined,
  platform: NodeJS.Platform,
): string {
  return platform === 'win32' ? replaceForCmd(line, outputOf) : replaceForPosix(line, outputOf);
}

function replaceForPosix(line: string, outputOf: (id: string) => string | undefined): string {
  const variables = new Map<string, string>();
  let quote: Quote = '';
  let seen = 0;
  const replaced = line.replace(OUTPUT_REF, (marker, id: string, at: number) => {
    quote = quoteAfter(line.slice(seen, at), quote);
    seen = at + marker.length;
    const output = outputOf(id);
    if (output === undefined) return marker;
    const variable = `espalier_output_${variables.size + 1}`;
    variables.set(variable, output);
    return WORD[quote](variable);
  });
  const values = [...variables].map(([variable, value]) => `${variable}='${value.replaceAll("'", `'\\''`)}'\n`);
  return values.join('') + replaced;
}

/** The quotes that are open after a piece of a shell line. */
function quoteAfter(piece: string, before: Quote): Quote {
  let quote = before;
  for (let at = 0; at < piece.length; at += 1) {
    const char = piece[at];
    if (char === '\\' && quote !== "'") at += 1;
    else if (char === quote) quote = '';
    else if (quote === '' && (char === "'" || char === '"')) quote = char;
  }
  return quote;
}

function replaceForCmd(line: string, outputOf: (id: string) => string | undefined): string {
  let quoted = false;
  let seen = 0;
  return line.replace(OUTPUT_REF, (marker, id: string, at: number) => {
    quoted = cmdQuotedAfter(line.slice(seen, at), quoted);
    seen = at + marker.length;
    const output = outputOf(id);
    if (output === undefined) return marker;
    const text = cmdText(output, !quoted || line[seen] === '"');
    return quoted ? text : `"${text}"`;
  });
}

/** Whether a piece of a line for `cmd` leaves quotes open. A caret takes the meaning of what follows it, outside of quotes. */
function cmdQuotedAfter(piece: string, before: boolean): boolean {
  let quoted = before;
  for (let at = 0; at < piece.length; at += 1) {
    if (piece[at] === '^' && !quoted) at += 1;
    else if (piece[at] === '"') quoted = !quoted;
  }
  return quoted;
}

/**
 * A text between quotes of `cmd`, where only quotes and per cent signs have a meaning. A doubled quote is one for the program and leaves the
 * text quoted. `cmd` looks for `%NAME%` before it looks at quotes, so that nothing could quote it: each sign stands alone between quotes,
 * behind a caret, which makes names of what is between two of them that no variable has. A line end would end the command. Backslashes
 * before a quote are doubled: programs would take the quote for their own.
 */
function cmdText(output: string, endsAtQuote: boolean): string {
  const line = output.replaceAll(/[\r\n]+/g, ' ').replaceAll(/(\\*)(["%])/g, (_, slashes: string, sign: string) => {
    return `${slashes}${slashes}${sign === '"' ? '""' : '"^%"'}`;
  });
  return endsAtQuote ? line.replace(/\\+$/, (slashes) => slashes + slashes) : line;
}
