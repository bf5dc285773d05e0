/** How this client calls itself to the core: shown as the one who answered. */
export const CLIENT_NAME = window.espalier === undefined ? 'browser' : 'desktop';
