/**
 * Characters that draw nothing or change the order of what is drawn: bidirectional controls, zero-width characters, tags,
 * control codes other than tab and line feed. Text of a model or tool that holds them would read as something else.
 */
const HIDDEN =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

const JOINERS = /^[\u200C\u200D]$/;
/** Scripts in which a joiner between two letters changes their shape, as their spelling asks for. */
const JOINING = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script_Extensions=Devanagari}\p{M}]/u;
const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]/u;

function belongs(text: string, at: number): boolean {
  const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
  const after = String.fromCodePoint(text.codePointAt(at + 1) ?? 0x20);
  return (EMOJI.test(before) && EMOJI.test(after)) || (JOINING.test(before) && /\p{L}/u.test(after));
}

function named(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/**
 * The text with every hidden character written out (`⟨U+202E⟩`), so that what is read is what is there. Joiners inside
 * emoji, and where a script is spelled with them, stay. `\r\n` is one line end.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(HIDDEN, (character, at: number, whole: string) =>
      JOINERS.test(character) && belongs(whole, at) ? character : named(character),
    );
}
