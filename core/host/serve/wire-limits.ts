/** A batch file of 16 MiB whose JSON is escaped once more on the way is the largest message (S5). */
export const MAX_MESSAGE_BYTES = 36 * 1024 * 1024;
/** Clients of one listener at once: windows, tabs, command lines. */
export const MAX_CLIENTS = 128;
/** Answers that a client asked for and does not read: beyond this it is cut off. */
export const MAX_UNREAD_BYTES = 128 * 1024 * 1024;
/** How often a client is asked whether it is still there; one that does not answer until the next time is not. */
export const HEARTBEAT_MS = 30_000;
