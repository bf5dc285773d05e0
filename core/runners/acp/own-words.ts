const GO_ON = 'You were interrupted. Go on with your task where you were; do not begin anew.';

/** What an agent is told at a limit of turns or calls. */
export const WIND_DOWN =
  'A limit of this run has been reached. Use no tool any more: answer now with what you have, and say what is left to do.';

/**
 * What an agent is told after its turn was interrupted. Some forget the whole turn with it, its task too (seen with Gemini CLI), so it is said again
 * what the turn had begun with.
 */
export function goOn(said: string): string {
  if (said === '') return GO_ON;
  return said.startsWith(GO_ON) ? said : `${GO_ON} This is what you were told:\n\n${said}`;
}
