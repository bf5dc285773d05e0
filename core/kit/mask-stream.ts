/** Takes secrets out of a text that comes in pieces. */
export interface MaskStream {
  /** What may be shown of all that came so far. */
  push(text: string): string;
  /** The rest: what could have been the beginning of a secret, and was not. */
  end(): string;
}

const MASK = '[redacted]';
const OPEN: MaskStream = { push: (text) => text, end: () => '' };

/**
 * Masks the given secrets wherever they are, also where one is cut between two pieces: as much of an end as could begin one is held back until
 * it is known (K4, case 51). Without secrets nothing is held back.
 */
export function maskStream(secrets: readonly string[]): MaskStream {
  // The longest first: a secret may be a part of another.
  const known = [...new Set(secrets)].filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  if (known.length === 0) return OPEN;
  const most = (known[0]?.length ?? 1) - 1;
  let held = '';
  return {
    push(text) {
      let clean = held + text;
      for (const secret of known) clean = clean.replaceAll(secret, MASK);
      const from = beginning(clean, known, most);
      held = clean.slice(from);
      return clean.slice(0, from);
    },
    end() {
      const rest = held;
      held = '';
      return rest;
    },
  };
}

/** Where the longest end of the text starts that is the beginning of a secret; its length if there is none. */
function beginning(text: string, secrets: readonly string[], most: number): number {
  for (let at = Math.max(0, text.length - most); at < text.length; at += 1) {
    const end = text.slice(at);
    if (secrets.some((secret) => secret.startsWith(end))) return at;
  }
  return text.length;
}
