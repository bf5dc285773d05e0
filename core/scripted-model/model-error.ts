import type { FaultReply } from './compiled-script.ts';
import type { Dialect, ModelError } from './dialects/dialect.ts';
import type { ErrorInput } from './script-input.ts';

/** An error event inside a reply says nothing of HTTP; this is what it stands for unless the script says otherwise. */
const STREAM_ERROR_STATUS = 500;

/** Fills in what a script leaves out, in the words of the dialect. */
export function modelError(input: ErrorInput & { status?: number | undefined }, dialect: Dialect): ModelError {
  const status = input.status ?? STREAM_ERROR_STATUS;
  const words = dialect.errorWords(status);
  return {
    status,
    type: input.type ?? words.type,
    code: input.code ?? words.code,
    message: input.message ?? `Scripted error (HTTP ${status}).`,
  };
}

/** The error and the body of an HTTP error reply. */
export function faultOf(fault: FaultReply, dialect: Dialect): { error: ModelError; body: string } {
  const error = modelError(fault, dialect);
  const body = fault.body ?? dialect.error(error);
  return { error, body: typeof body === 'string' ? body : JSON.stringify(body) };
}
