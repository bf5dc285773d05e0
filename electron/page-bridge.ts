import { BrowserWindow, dialog, ipcMain, MessageChannelMain, type MessagePortMain } from 'electron';
import { CHANNELS } from './channels.ts';
import { isTrustedSender } from './own-page.ts';

/** Answers what the preload asks for the page; a message from any other frame is not heard. */
export function answerPage(servePort: (port: MessagePortMain) => void): void {
  ipcMain.on(CHANNELS.port, (event) => {
    const frame = event.senderFrame;
    if (frame === null || !isTrustedSender(frame)) return;
    const { port1, port2 } = new MessageChannelMain();
    servePort(port1);
    port1.start();
    frame.postMessage(CHANNELS.port, null, [port2]);
  });
  ipcMain.handle(CHANNELS.chooseFolder, async (event): Promise<string | null> => {
    if (!isTrustedSender(event.senderFrame)) return null;
    const window = BrowserWindow.fromWebContents(event.sender);
    const options = { properties: ['openDirectory', 'createDirectory'] } satisfies Electron.OpenDialogOptions;
    const chosen = await (window === null ? dialog.showOpenDialog(options) : dialog.showOpenDialog(window, options));
    return chosen.canceled ? null : (chosen.filePaths[0] ?? null);
  });
}
