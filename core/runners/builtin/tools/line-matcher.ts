import { createContext, Script } from 'node:vm';
import { err, ok, type Result } from '../../../kit/result.ts';

/** Finds the lines that match a regular expression; one that would take for ever is ended. */
export interface LineMatcher {
  /** Indexes of the matching lines; null if the expression took too long on them. */
  match(lines: readonly string[]): readonly number[] | null;
}

/** Milliseconds for one batch of lines: thousands of times what a sane expression needs. */
const BATCH_LIMIT = 1500;

/**
 * Compiles a JavaScript regular expression (`(?i)` at its beginning is understood). Matching runs in a context of its own, because only such
 * a run can be interrupted: an expression with catastrophic backtracking would otherwise hold the worker, and with it the stop.
 */
export function compileLineMatcher(pattern: string, ignoreCase: boolean): Result<LineMatcher, string> {
  const inline = pattern.startsWith('(?i)');
  let expression: RegExp;
  try {
    expression = new RegExp(inline ? pattern.slice(4) : pattern, ignoreCase || inline ? 'i' : '');
  } catch (cause) {
    return err(cause instanceof Error ? cause.message : String(cause));
  }
  const sandbox = { expression, lines: [] as readonly string[] };
  const context = createContext(sandbox);
  const script = new Script(
    '(() => { const re = expression, all = lines, found = []; for (let i = 0; i < all.length; i++) if (re.test(all[i])) found.push(i); return found; })()',
  );
  return ok({
    match(lines) {
      sandbox.lines = lines;
      try {
        return Array.from(script.runInContext(context, { timeout: BATCH_LIMIT }) as ArrayLike<number>);
      } catch (cause) {
        // The error belongs to the other context, so it is no `Error` of ours.
        if ((cause as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
        throw cause;
      }
    },
  });
}
