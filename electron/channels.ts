/** Names of what passes between preload and main; nothing else does. */
export const CHANNELS = {
  /** Page → main: wants a port to the core. Main → page: brings it. */
  port: 'espalier:port',
  /** Page → main: opens the system's folder dialog. */
  chooseFolder: 'espalier:choose-folder',
  /** Page → main: what the page tells (`PageFact`). */
  fact: 'espalier:fact',
  /** Main → page: what the page is to do (`DesktopCommand`). */
  command: 'espalier:command',
  /** Page → main: what of keys is kept in the keychain, and keeping or forgetting one. */
  keys: 'espalier:keys',
} as const;

/** Data of the window message with which the preload hands the port to the page (the page's `shared/bridge.ts` waits for it). */
export const PORT_MESSAGE = 'espalier:port';
