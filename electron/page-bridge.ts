import { BrowserWindow, dialog, ipcMain, MessageChannelMain, type MessagePortMain, type WebContents } from 'electron';
import { PageFact } from '../core/protocol/desktop.ts';
import { CHANNELS } from './channels.ts';
import type { KeyStore } from './key-store.ts';
import { isTrustedSender } from './own-page.ts';

/** What the page may ask of the desktop. */
export interface PageServices {
  /** Serves the API over the port; while another core takes over, as soon as it is there. */
  servePort(port: MessagePortMain): Promise<void>;
  hear(contents: WebContents, fact: PageFact): void;
  readonly keys: KeyStore;
}

/** Answers what the preload asks for the page; a message from any other frame is not heard, one of another form neither. */
export function answerPage({ servePort, hear, keys }: PageServices): void {
  ipcMain.on(CHANNELS.port, (event) => {
    const frame = event.senderFrame;
    if (frame === null || !isTrustedSender(frame)) return;
    const { port1, port2 } = new MessageChannelMain();
    void servePort(port1).then(() => {
      port1.start();
      frame.postMessage(CHANNELS.port, null, [port2]);
    });
  });
  ipcMain.on(CHANNELS.fact, (event, said: unknown) => {
    const fact = PageFact.safeParse(said).data;
    if (isTrustedSender(event.senderFrame) && fact !== undefined) hear(event.sender, fact);
  });
  ipcMain.handle(CHANNELS.chooseFolder, async (event): Promise<string | null> => {
    if (!isTrustedSender(event.senderFrame)) return null;
    const window = BrowserWindow.fromWebContents(event.sender);
    const options = { properties: ['openDirectory', 'createDirectory'] } satisfies Electron.OpenDialogOptions;
    const chosen = await (window === null ? dialog.showOpenDialog(options) : dialog.showOpenDialog(window, options));
    return chosen.canceled ? null : (chosen.filePaths[0] ?? null);
  });
  ipcMain.handle(CHANNELS.keys, (event, request: unknown) =>
    isTrustedSender(event.senderFrame) ? keys.answer(request) : null,
  );
}
