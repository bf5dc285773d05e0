/**
 * Largest frame on the workers' socket, bytes of JSON; a longer one closes the connection (case 41). Apart from the frames' schemas, so that
 * a worker need not load those.
 */
export const MAX_FRAME_BYTES = 8 * 1024 * 1024;
