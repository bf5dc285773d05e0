/** One goal a line; empty lines and lines that begin with `#` are no goals (S2). */
export function parseText(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}
