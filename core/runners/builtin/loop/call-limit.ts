import type { Tool } from '../tools/tool.ts';

/** Share of the limit at which the model is told, and at which the run winds down (R4). */
const TOLD_AT = 0.8;
const WINDS_DOWN_AT = 1.25;

/** Counts the tool calls of a run against its limit (R4). Every call of the model counts, also one that is not run. */
export class CallLimit {
  readonly #limit: number | null;
  #count = 0;
  #told = false;
  /** A call was refused because of the limit: the run then ends with it. */
  hasRefused = false;

  /** `limit` null: none. */
  constructor(limit: number | null) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  get isUsedUp(): boolean {
    return this.#limit !== null && this.#count >= this.#limit * WINDS_DOWN_AT;
  }

  /** Counts a call. */
  add(): void {
    this.#count += 1;
  }

  /** Why the call just counted is not run, or null: above the limit only read-only tools are. */
  refusal(tool: Pick<Tool, 'readOnly'>): string | null {
    if (this.#limit === null || this.#count <= this.#limit || tool.readOnly) return null;
    this.hasRefused = true;
    return `Not run: the limit of ${this.#limit} tool calls is used up, and only reading is possible now. Come to an end.`;
  }

  /** The word to the model that the limit is near; once. */
  takeNote(): string | null {
    if (this.#limit === null || this.#told || this.#count < this.#limit * TOLD_AT) return null;
    this.#told = true;
    const left = Math.max(0, this.#limit - this.#count);
    return `${this.#count} of ${this.#limit} tool calls are used, ${left} are left. Use them for what matters most, then give your answer.`;
  }
}
