import type { ITheme } from '@xterm/xterm';

const NAMES = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
  'brightBlack',
  'brightRed',
  'brightGreen',
  'brightYellow',
  'brightBlue',
  'brightMagenta',
  'brightCyan',
  'brightWhite',
] as const satisfies readonly (keyof ITheme)[];

/** A colour of the page as `rgb()`, which is all that xterm reads. */
function resolver(host: HTMLElement): (color: string) => string {
  const context = host.ownerDocument.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const probe = host.ownerDocument.createElement('span');
  probe.hidden = true;
  host.append(probe);
  return (color) => {
    probe.style.color = color;
    const computed = getComputedStyle(probe).color;
    if (context === null) return computed;
    context.fillStyle = computed;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
    return `rgb(${red}, ${green}, ${blue})`;
  };
}

/** The terminal's colours, from the tokens as they are on `host` now. */
export function terminalTheme(host: HTMLElement): ITheme {
  const color = resolver(host);
  const theme: ITheme = {
    background: color('var(--bg-0)'),
    foreground: color('var(--text-2)'),
    cursor: color('var(--bg-0)'),
    cursorAccent: color('var(--bg-0)'),
    selectionBackground: color('var(--accent-line)'),
    scrollbarSliderBackground: color('var(--bg-4)'),
    scrollbarSliderHoverBackground: color('var(--line-strong)'),
    scrollbarSliderActiveBackground: color('var(--edge)'),
  };
  NAMES.forEach((name, place) => {
    theme[name] = color(`var(--ansi-${place})`);
  });
  host.querySelector(':scope > span[hidden]')?.remove();
  return theme;
}
