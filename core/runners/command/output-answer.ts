/**
 * The output of a program as the answer of its run; a long one is told in part, like every answer (P5). After a success it is stdout, or stderr if that
 * is silent. After a failure stderr comes last, for its last line is the reason that people are told (T2).
 */
export function outputAnswer(stdout: string, stderr: string, succeeded: boolean): string {
  const out = stdout.trimEnd();
  const errors = stderr.trimEnd();
  if (errors.trim() === '') return out;
  if (out.trim() === '') return errors;
  return succeeded ? out : `${out}\n${errors}`;
}
