const COLOURS: Readonly<Record<string, number>> = { '✓': 32, '⚠': 33, '✗': 31, '■': 90, '▸': 36, '…': 33, '→': 90 };

/** A progress line with its mark in colour, where the terminal has colours. */
export function paintLine(line: string, colour: boolean): string {
  const mark = /^\s*(\S)/.exec(line)?.[1] ?? '';
  const code = COLOURS[mark];
  return !colour || code === undefined ? line : line.replace(mark, `\u001b[${code}m${mark}\u001b[39m`);
}
