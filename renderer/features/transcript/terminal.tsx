import { FitAddon } from '@xterm/addon-fit';
import { Terminal as Xterm } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import './terminal.css';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLive } from '../../app/live.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { entriesBetween, unwritten } from './output-entries.ts';
import { openTerminal, terminalPage } from '../../ui/xterm-page.ts';
import { onlyDraw } from '../../ui/xterm-safety.ts';
import { terminalTheme } from '../../ui/xterm-theme.ts';

/** Lines that can be scrolled back. */
const SCROLLBACK = 10_000;
function makeTerminal(host: HTMLElement, rows: number): { readonly terminal: Xterm; readonly fit: FitAddon } {
  const terminal = new Xterm({
    rows,
    convertEol: true,
    disableStdin: true,
    scrollback: SCROLLBACK,
    fontFamily: getComputedStyle(host).fontFamily,
    fontSize: 11,
    lineHeight: 1.2,
    cursorStyle: 'bar',
    cursorInactiveStyle: 'none',
    minimumContrastRatio: 4.5,
    theme: terminalTheme(host),
    linkHandler: { activate: () => undefined },
    documentOverride: terminalPage(host.ownerDocument),
  });
  onlyDraw(terminal);
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  openTerminal(host.ownerDocument, () => {
    terminal.open(host);
  });
  return { terminal, fit };
}

/** Keeps the size and the colours of a terminal those of the page. The answer stops it. */
function follow(host: HTMLElement, terminal: Xterm, fit: FitAddon): () => void {
  const resize = new ResizeObserver(() => {
    const size = fit.proposeDimensions();
    if (size !== undefined && size.cols > 1) terminal.resize(size.cols, size.rows);
  });
  resize.observe(host);
  const theme = new MutationObserver(() => {
    terminal.options.theme = terminalTheme(host);
  });
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    resize.disconnect();
    theme.disconnect();
  };
}

/** Output of a run in a real terminal: as wide as its place, about `rows` high, read only. Loaded when first needed. */
export default function Terminal({
  runId,
  first,
  last,
  rows,
}: {
  readonly runId: string;
  readonly first: number;
  readonly last: number;
  readonly rows: number;
}) {
  const element = useRef<HTMLDivElement>(null);
  const read = useEffectEvent(() => entriesBetween(useLive.getState().transcripts.get(runId), first, last));
  useEffect(() => {
    const host = element.current;
    if (host === null) return;
    const { terminal, fit } = makeTerminal(host, rows);
    const unfollow = follow(host, terminal, fit);
    let written: ReadonlyMap<number, number> = new Map();
    const write = (): void => {
      const next = unwritten(read(), written);
      if (next.rewritten) {
        terminal.reset();
        written = new Map();
        write();
        return;
      }
      written = next.written;
      if (next.text !== '') terminal.write(next.text);
    };
    write();
    const stop = useLive.subscribe(write);
    return () => {
      stop();
      unfollow();
      terminal.dispose();
    };
  }, [rows]);
  return (
    <div
      ref={element}
      className="terminal-box"
      role="group"
      aria-label={runStrings.transcript.output}
      style={{ height: rows * 17 }}
    />
  );
}
