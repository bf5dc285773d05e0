import type { Support } from './profile.ts';

/** The agent itself, or our own supervision, keeps it. */
export const ENFORCED = (how: string): Support => ({ by: 'enforced', how });

/** What we see in an agent's stream, and act on. */
export const WATCHED = (how: string): Support => ({ by: 'watched', how });

/** A limit or ceiling that nobody can keep, and why. */
export const UNSUPPORTED = (how: string): Support => ({ by: 'unsupported', how });
