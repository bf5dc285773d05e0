import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { CHANNELS, PORT_MESSAGE } from './channels.ts';

// A port cannot cross the bridge as a value; a window message carries it from here to the page.
ipcRenderer.on(CHANNELS.port, (event) => {
  window.postMessage(PORT_MESSAGE, location.origin, [...event.ports]);
});

// All that a page gets from the desktop; its own side of this is `renderer/shared/bridge.ts`.
contextBridge.exposeInMainWorld('espalier', {
  port: () => {
    ipcRenderer.send(CHANNELS.port);
  },
  pathOf: (file: File) => webUtils.getPathForFile(file),
  chooseFolder: () => ipcRenderer.invoke(CHANNELS.chooseFolder),
  tell: (fact: unknown) => {
    ipcRenderer.send(CHANNELS.fact, fact);
  },
  onCommand: (listener: (command: unknown) => void) => {
    ipcRenderer.on(CHANNELS.command, (_event, command) => {
      listener(command);
    });
  },
  keys: (request: unknown) => ipcRenderer.invoke(CHANNELS.keys, request),
});
