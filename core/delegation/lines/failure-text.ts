import { oneLine, withoutTerminalSequences } from './one-line.ts';

/** Of a longer error only so much is looked at, at each end, in code units. */
const LOOKED_AT = 100_000;

const TRACEBACK = 'Traceback (most recent call last)';

const FRAMES = [
  // V8 and Java: `at f (file:1:2)`, `at file:///x.js:1:2`, `at com.x.Y.z(Y.java:3)`, `at async Promise.all (index 0)`
  /^\s*at .*(?:\)|:\d+)$/,
  // Java: what a cause has in common with its parent
  /^\s*\.\.\. \d+ (?:more|common frames omitted)$/,
  // Firefox and Safari: `f@file:1:2`
  /^\s*[\w$.<>/*]*@\S+:\d+:\d+$/,
];

const isFrame = (line: string): boolean => FRAMES.some((frame) => frame.test(line));

/** Node prints an uncaught error below the place it came from: `file:line`, the source line and a caret. */
function withoutSourceExcerpt(lines: string[]): string[] {
  if (!/^\S.*:\d+(?::\d+)?$/.test(lines[0] ?? '')) return lines;
  const caret = lines.findIndex((line) => /^\s*\^+$/.test(line));
  return caret > 0 && caret <= 3 ? lines.slice(caret + 1) : lines;
}

/**
 * The one line of an error that says what happened (L5): the last of a Python traceback, the first that is not a
 * frame of a JavaScript or Java stack, else the first that is not empty. White space is collapsed; not cut yet.
 */
export function failureText(error: string): string {
  const looked = error.length > 2 * LOOKED_AT ? `${error.slice(0, LOOKED_AT)}\n${error.slice(-LOOKED_AT)}` : error;
  const lines = withoutTerminalSequences(looked)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.trimEnd())
    .filter((line) => oneLine(line) !== '');
  if (lines.some((line) => line.includes(TRACEBACK))) return oneLine(lines.at(-1) ?? '');
  if (!lines.some(isFrame)) return oneLine(lines[0] ?? '');
  const message = withoutSourceExcerpt(lines).find((line) => !isFrame(line));
  return oneLine(message ?? lines[0] ?? '');
}
