import { readFile } from 'node:fs/promises';
import { parseDocument } from 'yaml';
import type { z } from 'zod';
import { err, ok } from '../kit/result.ts';
import type { Result } from '../kit/result.ts';
import type { CompiledScript, Conversation, Pace } from './compiled-script.ts';
import { ScriptFile } from './script-schema.ts';
import type { Script } from './script-input.ts';

/** Why a script cannot be used. */
export interface ScriptError {
  readonly code: 'unreadable' | 'not_parsed' | 'invalid';
  /** One line for each problem, with its place: `conversations[1].turns[0][2].text: …`. */
  readonly message: string;
  readonly problems: readonly { readonly at: string; readonly message: string }[];
}

/** Big enough that a text without a delay is few deltas, small enough that a test sees several. */
const DEFAULT_PACE: Pace = { chunkSize: 24, chunkDelayMs: 0 };

function placeOf(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return text.replace(/^\./, '') || 'script';
}

function invalid(error: z.ZodError, source: string): ScriptError {
  const problems = error.issues.map((issue) => ({ at: placeOf(issue.path), message: issue.message }));
  const lines = problems.map((problem) => `${problem.at}: ${problem.message}`);
  return { code: 'invalid', problems, message: `${source}:\n${lines.join('\n')}` };
}

function compileConversation(file: ScriptFile, index: number): Conversation {
  const parsed = file.conversations[index];
  if (parsed === undefined) throw new RangeError(`no conversation ${index}`);
  return {
    name: parsed.name ?? `conversation ${index + 1}`,
    match: parsed.match,
    by: parsed.by,
    per: parsed.per,
    turns: parsed.turns,
    beyond: parsed.repeat_last ? parsed.turns.at(-1) : parsed.otherwise,
    pace: {
      chunkSize: parsed.chunk_size ?? file.chunk_size ?? DEFAULT_PACE.chunkSize,
      chunkDelayMs: parsed.chunk_delay_ms ?? file.chunk_delay_ms ?? DEFAULT_PACE.chunkDelayMs,
    },
    wire: {
      newline: parsed.wire.newline,
      splitBytes: parsed.wire.split_bytes,
      comments: parsed.wire.comments,
    },
  };
}

/** Checks and compiles a script; every problem is reported with its place. */
export function compileScript(value: unknown, source = 'script'): Result<CompiledScript, ScriptError> {
  const parsed = ScriptFile.safeParse(value);
  if (!parsed.success) return err(invalid(parsed.error, source));
  const file = parsed.data;
  return ok({
    models: file.models,
    conversations: file.conversations.map((_, index) => compileConversation(file, index)),
  });
}

/** Reads a script from YAML or JSON text (JSON is YAML) and checks it. */
export function parseScript(text: string, source = 'script'): Result<Script, ScriptError> {
  const document = parseDocument(text, { merge: true });
  const [first] = document.errors;
  if (first !== undefined) {
    const problems = document.errors.map((error) => ({ at: source, message: error.message }));
    return err({ code: 'not_parsed', problems, message: `${source}: ${first.message}` });
  }
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  const compiled = compileScript(value, source);
  return compiled.ok ? ok(value as Script) : compiled;
}

/** Reads and checks a script file (YAML or JSON). */
export async function loadScript(path: string): Promise<Result<Script, ScriptError>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const message = `${path}: ${(error as Error).message}`;
    return err({ code: 'unreadable', problems: [{ at: path, message }], message });
  }
  return parseScript(text, path);
}
