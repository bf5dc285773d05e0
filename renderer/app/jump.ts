import { create } from 'zustand';

/** A place in a transcript that somebody wants to see: the words in an entry, near a line of its text. */
export interface Jump {
  readonly run_id: string;
  readonly entry: number;
  /** From 1; null when the words are in no line of its text. */
  readonly line: number | null;
  readonly words: string;
}

/** The place that the transcript is to show next; it takes it when it has it on the page. */
export const useJump = create<{ readonly jump: Jump | null }>(() => ({ jump: null }));

export function jumpTo(jump: Jump): void {
  useJump.setState({ jump });
}

/** The place is shown, or somebody went elsewhere. */
export function jumpDone(jump: Jump): void {
  useJump.setState((state) => (state.jump === jump ? { jump: null } : state));
}
