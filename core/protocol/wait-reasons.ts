interface ReasonFacts {
  /** The run holds no place of the concurrency caps while it waits for this (R1). */
  readonly yieldsPlace: boolean;
  /** The run waits for a person. */
  readonly needsPerson: boolean;
  /** Whether the time spent counts as active time of the run (R7). */
  readonly active: boolean;
  readonly words: string;
}

/** What each reason to wait means. Apart from the schemas: every start of a worker reads it. */
export const WAIT_REASONS = {
  concurrency: { yieldsPlace: true, needsPerson: false, active: false, words: 'for a place' },
  dependency: { yieldsPlace: true, needsPerson: false, active: false, words: 'for another task' },
  budget: { yieldsPlace: true, needsPerson: false, active: false, words: 'for budget' },
  rate_limit: { yieldsPlace: false, needsPerson: false, active: true, words: 'rate limit' },
  permission: { yieldsPlace: false, needsPerson: true, active: false, words: 'permission' },
  question: { yieldsPlace: false, needsPerson: true, active: false, words: 'question' },
  user: { yieldsPlace: true, needsPerson: false, active: false, words: 'for your message' },
  children: { yieldsPlace: true, needsPerson: false, active: false, words: 'children' },
  paused: { yieldsPlace: true, needsPerson: false, active: false, words: 'paused' },
  storage: { yieldsPlace: false, needsPerson: false, active: false, words: 'storage' },
  restart: { yieldsPlace: false, needsPerson: false, active: false, words: 'restart' },
} as const satisfies Record<string, ReasonFacts>;
