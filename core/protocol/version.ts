/** Clients, workers and core shake hands on it; a mismatch is told and ends with exit status 3 (D2). */
export const PROTOCOL_VERSION = 1;
