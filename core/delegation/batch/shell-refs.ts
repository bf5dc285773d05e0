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
  if (platform === 'win32') return line.replace(OUTPUT_REF, (marker, id: string) => cmdWord(outputOf(id)) ?? marker);
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

/** Doubled quotes leave the text quoted; a line end would end the command. */
function cmdWord(output: string | undefined): string | undefined {
  return output === undefined ? undefined : `"${output.replaceAll('"', '""').replaceAll(/[\r\n]+/g, ' ')}"`;
}
