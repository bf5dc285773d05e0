import { z } from 'zod';
import { PromptResult, SetResult } from '../core/protocol/result-entry.ts';

/** The published JSON Schema (draft 2020-12) of what `run --json` and `prompt --json` print. */
export function resultJsonSchema(): Record<string, unknown> {
  const printed = z.union([SetResult, PromptResult]).meta({ title: 'Espalier result' });
  return z.toJSONSchema(printed, { target: 'draft-2020-12', io: 'output' });
}
