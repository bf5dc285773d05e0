/** Structured log. Never pass task text, transcripts or secrets (`spec D7`): ids, counts and codes only. */
export interface Logger {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** Discards everything; for tests and tools that have no log. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
