/** Control characters, and the marks that turn the direction of what follows: neither belongs in a row of a list. */
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const TERMINAL_SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/** `text` without the sequences by which programs colour and move on a terminal. Line ends stay. */
export function withoutTerminalSequences(text: string): string {
  return text.includes('\u001b') ? text.replace(TERMINAL_SEQUENCE, '') : text;
}

/** `text` on one line: terminal sequences and control characters out, white space collapsed (L5). */
export function oneLine(text: string): string {
  return withoutTerminalSequences(text).replace(UNPRINTABLE, ' ').replace(/\s+/g, ' ').trim();
}
