import type { ModelBundle } from '../models/bundle.ts';
import { addressSecrets, bodySecrets, headerSecrets, SHORTEST_SECRET } from './secret-values.ts';

/** Replaces secrets in a text. */
export type Redact = (text: string) => string;

const MASK = '[redacted]';

/** Secrets that show themselves by their place or form, whoever owns them. Every pattern is linear: no nested repeats. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/(\b[a-z][a-z0-9+.-]{1,30}:\/\/)[^\s/?#@'"]{1,2000}@/gi, `$1${MASK}@`],
  [/\b(Bearer|Basic)(\s+)[A-Za-z0-9._~+/=-]{3,}/gi, `$1$2${MASK}`],
  [
    /([?&](?:[a-z_-]{0,30}key|token|access_token|auth|password|secret|sig|signature)=)[^&\s"'<>#]{1,4000}/gi,
    `$1${MASK}`,
  ],
  [
    /((?:x-api-key|x-goog-api-key|api[-_]key|authorization)["']?\s{0,3}[:=]\s{0,3}["']?)[^\s"',}]{3,4000}/gi,
    `$1${MASK}`,
  ],
  [/\b(?:sk|pk|rk)-[A-Za-z0-9_-]{8,}/g, MASK],
  [/\bAIza[A-Za-z0-9_-]{20,}/g, MASK],
  [/\b(?:ghp|gho|ghs|github_pat|xox[abp])[_-][A-Za-z0-9_-]{10,}/g, MASK],
];

/**
 * A function that takes the given secrets out of a text (K4, case 51): as they are, as in a URL, as in JSON; and whatever
 * looks like one: user info and keys in URLs, bearer tokens, API keys. Secrets under 6 characters are left alone.
 */
export function redactor(secrets: readonly string[]): Redact {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < SHORTEST_SECRET) continue;
    forms.add(secret);
    forms.add(encodeURIComponent(secret));
    forms.add(JSON.stringify(secret).slice(1, -1));
  }
  // The longest first: a secret may be a part of another.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const form of ordered) clean = clean.replaceAll(form, MASK);
    for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
    return clean;
  };
}

/** The secrets that a bundle holds: its key, and what may authenticate in its address, headers and extras. */
export function secretsOf({ key, baseUrl, headers, extraBody }: ModelBundle): string[] {
  const keys = key !== null && key.length >= SHORTEST_SECRET ? [key] : [];
  return [...keys, ...addressSecrets(baseUrl), ...headerSecrets(headers), ...bodySecrets(extraBody)];
}
