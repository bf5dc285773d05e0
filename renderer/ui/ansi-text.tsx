import { memo, useMemo, type CSSProperties } from 'react';
import { ansiLines, PLAIN, type AnsiStyle } from '../shared/ansi.ts';

/** The 6 × 6 × 6 cube and the greys of the 256-colour palette. */
function cube(place: number): string {
  if (place >= 232) {
    const grey = 8 + (place - 232) * 10;
    return `rgb(${grey} ${grey} ${grey})`;
  }
  const level = (part: number): number => (part === 0 ? 0 : 55 + part * 40);
  const rest = place - 16;
  return `rgb(${level(Math.floor(rest / 36))} ${level(Math.floor(rest / 6) % 6)} ${level(rest % 6)})`;
}

function css(color: number | string | null): string | undefined {
  if (color === null || typeof color === 'string') return color ?? undefined;
  return color < 16 ? `var(--ansi-${color})` : cube(color);
}

/** The colour of text that names none. Dim is a quieter colour: half-transparent text would be too faint to read. */
function ownColor({ inverse, dim, bold }: AnsiStyle): string | undefined {
  if (inverse) return 'var(--bg-0)';
  if (dim) return 'var(--text-3)';
  return bold ? 'var(--text-1)' : undefined;
}

/** A program's own colour, drawn towards the text's so that it can be read in both themes. */
function readable(color: number | string | null): string | undefined {
  const own = css(color);
  return own === undefined || (typeof color === 'number' && color < 16)
    ? own
    : `color-mix(in oklab, ${own} 45%, var(--text-1))`;
}

function look(style: AnsiStyle): CSSProperties | undefined {
  if (style === PLAIN) return undefined;
  const { bold, italic, underline, inverse } = style;
  const color = inverse ? css(style.background) : readable(style.color);
  const background = css(inverse ? style.color : style.background);
  return {
    color: color ?? ownColor(style),
    background: background ?? (inverse ? 'var(--text-2)' : undefined),
    fontWeight: bold ? 600 : undefined,
    fontStyle: italic ? 'italic' : undefined,
    textDecoration: underline ? 'underline' : undefined,
  };
}

/** Terminal output as text: its colours, none of its actions (B30). The caller bounds the text. */
export const AnsiText = memo(function AnsiText({ text }: { readonly text: string }) {
  const lines = useMemo(() => ansiLines(text), [text]);
  return (
    <>
      {lines.map((spans, line) => (
        <span key={line}>
          {spans.map((span, place) => (
            <span key={place} style={look(span.style)}>
              {span.text}
            </span>
          ))}
          {line < lines.length - 1 && '\n'}
        </span>
      ))}
    </>
  );
});
