/** Characters of an output that are its summary. */
const SUMMARY = 4000;
/** Of these, how many a failed program's errors take at most. */
const ERRORS = 2000;

/**
 * The end of a program's output as the answer of its run: whole lines, as far as a line begins near. After a success it is stdout, or stderr if that
 * is silent. After a failure stderr comes last, for its last line is the reason that people are told (T2).
 */
export function outputTail(stdout: string, stderr: string, succeeded: boolean): string {
  const out = stdout.trimEnd();
  const errors = stderr.trimEnd();
  if (errors.trim() === '') return tailOf(out, SUMMARY);
  if (out.trim() === '') return tailOf(errors, SUMMARY);
  if (succeeded) return tailOf(out, SUMMARY);
  const last = tailOf(errors, ERRORS);
  return `${tailOf(out, SUMMARY - last.length)}\n${last}`;
}

function tailOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const tail = text.slice(-limit);
  const start = tail.indexOf('\n') + 1;
  if (start > 0 && start < limit / 2) return tail.slice(start);
  const first = tail.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? tail.slice(1) : tail;
}
