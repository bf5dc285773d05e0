/** Names of what passes between preload and main; nothing else does. */
export const CHANNELS = {
  /** Page → main: wants a port to the core. Main → page: brings it. */
  port: 'espalier:port',
  /** Page → main: opens the system's folder dialog. */
  chooseFolder: 'espalier:choose-folder',
} as const;

/** Data of the window message with which the preload hands the port to the page (the page's `shared/bridge.ts` waits for it). */
export const PORT_MESSAGE = 'espalier:port';
