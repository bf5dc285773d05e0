import { maskStream } from '../kit/mask-stream.ts';
import type { Assignment } from '../protocol/frames.ts';
import { outputSecrets } from '../providers/secrets/output-secrets.ts';

/** Takes the secrets that a run was given out of what its agent tells, before it is stored (K4). */
export interface Masking {
  readonly text: (text: string) => string;
  /** All texts of a message. What the agent asks us to do stays as it is: it is carried out, or goes back to it. */
  readonly message: (value: unknown) => unknown;
}

/** The masking of one run; the texts are whole ones. */
export function maskingOf(assignment: Assignment): Masking {
  const secrets = outputSecrets(assignment);
  const text = (words: string): string => {
    const stream = maskStream(secrets);
    return stream.push(words) + stream.end();
  };
  if (secrets.length === 0) return { text: (words) => words, message: (value) => value };
  return { text, message: (value) => (isRequest(value) ? value : masked(value, text)) };
}

function masked(value: unknown, text: Masking['text']): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((one) => masked(one, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, masked(one, text)]));
}

function isRequest(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return 'type' in value && value.type === 'control_request' ? true : 'method' in value && 'id' in value;
}
