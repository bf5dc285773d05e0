import { FitAddon } from '@xterm/addon-fit';
import { Terminal as Xterm } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { useEffect, useRef } from 'react';
import type { TerminalRow } from '../../../core/protocol/terminal.ts';
import { core, expectedFailure } from '../../app/client.ts';
import { onFocusRequest } from '../../app/ui-store.ts';
import { inspectStrings } from '../../shared/inspect-strings.ts';
import { isChord } from '../../shared/keys.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { openTerminal, terminalPage } from '../../ui/xterm-page.ts';
import { onlyDraw } from '../../ui/xterm-safety.ts';
import { terminalTheme } from '../../ui/xterm-theme.ts';
import { noteEnded } from './terminals-store.ts';
import { typist } from './typing.ts';

const words = inspectStrings.terminal;

/** The keys that stay the app's while a terminal has the focus; all others are the shell's. */
const OURS = ['f6', 'shift+f6', 'mod+j'];
/** A drag of the border changes the size many times: the shell is told of the last. */
const RESIZE_MS = 80;

function themeOf(host: HTMLElement): ReturnType<typeof terminalTheme> {
  const theme = terminalTheme(host);
  const { foreground, background } = theme;
  return {
    ...theme,
    ...(foreground === undefined ? {} : { cursor: foreground }),
    ...(background === undefined ? {} : { cursorAccent: background }),
  };
}

function makeTerminal(host: HTMLElement): { readonly terminal: Xterm; readonly fit: FitAddon } {
  const terminal = new Xterm({
    scrollback: 10_000,
    fontFamily: getComputedStyle(host).fontFamily,
    fontSize: 12,
    lineHeight: 1.25,
    cursorBlink: false,
    minimumContrastRatio: 4.5,
    theme: themeOf(host),
    linkHandler: { activate: () => undefined },
    documentOverride: terminalPage(host.ownerDocument),
  });
  onlyDraw(terminal);
  terminal.attachCustomKeyEventHandler((event) => !OURS.some((chord) => isChord(event, chord)));
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  openTerminal(host.ownerDocument, () => {
    terminal.open(host);
  });
  return { terminal, fit };
}

/** Shows what the shell prints, piece by piece: the next is asked for when the last was drawn. Ends with the signal, the shell, or the core. */
async function follow(terminal: Xterm, id: string, signal: AbortSignal): Promise<void> {
  for (let from = 0; !signal.aborted;) {
    const piece = await core.terminals.read({ terminal_id: id, from }, { signal });
    if (signal.aborted) return;
    if (from > 0 && piece.from > from) terminal.write(`\r\n\x1b[2m${words.skipped}\x1b[0m\r\n`);
    await new Promise<void>((resolve) => {
      terminal.write(piece.data, resolve);
    });
    from = piece.next;
    if (!piece.alive && piece.data === '') {
      terminal.options.disableStdin = true;
      terminal.write(`\r\n\x1b[2m${words.endedLine}\x1b[0m`);
      noteEnded(id, piece.exit_code);
      return;
    }
  }
}

function keepSize(host: HTMLElement, terminal: Xterm, fit: FitAddon, id: string): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const tell = (): void => {
    const { cols, rows } = terminal;
    // A shell that has ended needs no size.
    core.terminals.resize({ terminal_id: id, cols, rows }).catch(() => undefined);
  };
  const observer = new ResizeObserver(() => {
    const size = fit.proposeDimensions();
    if (size === undefined || size.cols < 2 || size.rows < 2) return;
    if (size.cols !== terminal.cols || size.rows !== terminal.rows) terminal.resize(size.cols, size.rows);
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(tell, RESIZE_MS);
  });
  observer.observe(host);
  return () => {
    observer.disconnect();
    if (timer !== null) clearTimeout(timer);
  };
}

function keepTheme(host: HTMLElement, terminal: Xterm): () => void {
  const observer = new MutationObserver(() => {
    terminal.options.theme = themeOf(host);
  });
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    observer.disconnect();
  };
}

/** One shell on the page: what it prints, what is typed, its size. Drawn anew it shows what the core has kept of it. */
export default function TerminalView({ row }: { readonly row: TerminalRow }) {
  const element = useRef<HTMLDivElement>(null);
  const id = row.terminal_id;
  useEffect(() => {
    const host = element.current;
    if (host === null) return;
    const { terminal, fit } = makeTerminal(host);
    const gone = new AbortController();
    const type = typist((data) => core.terminals.write({ terminal_id: id, data }));
    terminal.onData(type);
    const unsize = keepSize(host, terminal, fit, id);
    const untheme = keepTheme(host, terminal);
    const unfocus = onFocusRequest('terminal', () => {
      terminal.focus();
    });
    terminal.focus();
    follow(terminal, id, gone.signal).catch((error: unknown) => {
      if (gone.signal.aborted) return;
      terminal.options.disableStdin = true;
      const known = expectedFailure(error);
      terminal.write(`\r\n\x1b[2m${known?.code === 'not_found' ? words.lost : visibleText(String(error))}\x1b[0m`);
      noteEnded(id, null);
    });
    return () => {
      gone.abort();
      unfocus();
      untheme();
      unsize();
      terminal.dispose();
    };
  }, [id]);
  return <div ref={element} className="terminal-screen" role="group" aria-label={words.screen(visibleText(row.cwd))} />;
}
