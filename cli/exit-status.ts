/** Exit statuses (docs/command-line.md): scripts rely on them. */
export const EXIT = {
  done: 0,
  /** A run ended otherwise than completed without caveat; or refused, not found, survivors left. */
  refused: 1,
  /** Wrong usage or a batch that is not valid: nothing was started. */
  usage: 2,
  /** The machine: data folder locked or newer, no agent, no disk. */
  environment: 3,
  /** Stopped by Ctrl-C. */
  interrupted: 130,
} as const;
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];
