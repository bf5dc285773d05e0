import { visibleText } from './visible-text.ts';

/** How a stretch of terminal text looks. Colours are a place in the palette (0–255) or `#rrggbb`. */
export interface AnsiStyle {
  readonly color: number | string | null;
  readonly background: number | string | null;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly inverse: boolean;
}

export interface AnsiSpan {
  readonly text: string;
  readonly style: AnsiStyle;
}

export const PLAIN: AnsiStyle = {
  color: null,
  background: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
};

/** Escape sequences; OSC, DCS, APC, PM and SOS strings (titles, clipboard, links) as a whole. */
const ESCAPE =
  /\u001B\[([0-9;:?<=>!]*)([ -/]*[@-~])|\u001B[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)?|\u001B[ -/]*[0-~]?/gu;

const BASIC: Readonly<Record<number, Partial<AnsiStyle>>> = {
  0: PLAIN,
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  39: { color: null },
  49: { background: null },
};

const hex = (value: number | undefined): string =>
  Math.min(255, Math.max(0, value ?? 0))
    .toString(16)
    .padStart(2, '0');

/** The colour after a 38 or 48, and how many numbers it took. */
function extended(codes: readonly number[], at: number): readonly [color: number | string | null, taken: number] {
  const kind = codes[at + 1];
  if (kind === 5) return [Math.min(255, Math.max(0, codes[at + 2] ?? 0)), 2];
  if (kind === 2) return [`#${hex(codes[at + 2])}${hex(codes[at + 3])}${hex(codes[at + 4])}`, 4];
  return [null, 1];
}

function simple(code: number): Partial<AnsiStyle> {
  if (code >= 30 && code <= 37) return { color: code - 30 };
  if (code >= 40 && code <= 47) return { background: code - 40 };
  if (code >= 90 && code <= 97) return { color: code - 90 + 8 };
  if (code >= 100 && code <= 107) return { background: code - 100 + 8 };
  return BASIC[code] ?? {};
}

/** The style after the numbers of an SGR sequence. */
function applySgr(style: AnsiStyle, parameters: string): AnsiStyle {
  const codes = parameters.split(/[;:]/).map((part) => (part === '' ? 0 : Number(part)));
  let next = style;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const [color, taken] = extended(codes, at);
      next = { ...next, [code === 38 ? 'color' : 'background']: color };
      at += taken;
    } else next = { ...next, ...simple(code) };
  }
  return next;
}

/** What is left of a line in which `\r` went back to its start: as a terminal shows it, without counting widths. */
function overwritten(line: string): string {
  const parts = line.replace(/\r+$/, '').split('\r');
  return parts.length === 1 ? line.replace(/\r+$/, '') : (parts.findLast((part) => part !== '') ?? '');
}

/**
 * Terminal output as lines of styled spans. Colours and weights are kept; every other sequence is dropped, nothing is
 * acted on: no title, clipboard, link or cursor movement. The text should be bounded by the caller.
 */
export function ansiLines(text: string): readonly (readonly AnsiSpan[])[] {
  let style = PLAIN;
  return text.split('\n').map((raw) => {
    const line = overwritten(raw);
    const spans: AnsiSpan[] = [];
    let from = 0;
    const push = (to: number): void => {
      if (to > from) spans.push({ text: visibleText(line.slice(from, to)), style });
    };
    for (const match of line.matchAll(ESCAPE)) {
      push(match.index);
      if (match[2] === 'm' && !/[?<=>!]/.test(match[1] ?? '')) style = applySgr(style, match[1] ?? '');
      from = match.index + match[0].length;
    }
    push(line.length);
    return spans;
  });
}

/** The text without any escape sequence, for copying and finding. */
export function withoutAnsi(text: string): string {
  return text.includes('\u001B') ? text.replaceAll(ESCAPE, '') : text;
}
