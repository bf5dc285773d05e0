import type { Terminal } from '@xterm/xterm';

/** Numbers of the OSC sequences that would act on more than the screen: titles, folders, links, colours, clipboard, notifications. */
const OSC = [0, 1, 2, 4, 7, 8, 9, 10, 11, 12, 50, 52, 104, 110, 111, 112, 133, 633, 777, 1337];

/** What a program prints is data: it draws, and does nothing else (B30). */
export function onlyDraw(terminal: Terminal): void {
  for (const number of OSC) terminal.parser.registerOscHandler(number, () => true);
  terminal.parser.registerDcsHandler({ final: 'q' }, () => true);
}
