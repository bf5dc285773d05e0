/** How this client calls itself to the core: shown as the one who answered. */
export const clientName = (): string => (window.espalier === undefined ? 'browser' : 'desktop');
