import { cutMiddle } from '../../../kit/cut-middle.ts';
import type {
  AssistantMessage,
  ImagePart,
  Message,
  ModelRequest,
  TextPart,
} from '../../../providers/messages/message.ts';
import type { ToolImage } from '../tools/tool.ts';
import { compact, IMAGE_OF, sizeOf } from './compaction.ts';
import { resultText, type CallOutcome } from './tool-calls.ts';

/** Tokens a character, until a provider has counted a request. */
const FIRST_RATIO = 0.25;

/** Share of the window that is kept free for the answer, at most. */
const ANSWER_SHARE = 0.25;
const ANSWER_TOKENS = 8192;

/** Share of what is left of the context that the results of one turn may fill (P5). */
const RESULTS_SHARE = 0.5;
const LEAST_RESULT = 1000;

/** The context did not shrink enough to be tried again. */
const ENOUGH = 0.95;

type UserPart = TextPart | ImagePart;

/** The messages of a run, kept within the window of the model that it talks to (B15). */
export class Conversation {
  readonly #fixed: Pick<ModelRequest, 'system' | 'tools'>;
  readonly #fixedSize: number;
  #messages: readonly Message[];
  #ratio = FIRST_RATIO;

  constructor(fixed: Pick<ModelRequest, 'system' | 'tools'>, messages: readonly Message[]) {
    this.#fixed = fixed;
    this.#fixedSize = fixed.system.length + JSON.stringify(fixed.tools).length;
    this.#messages = messages;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  get request(): Pick<ModelRequest, 'system' | 'tools' | 'messages'> {
    return { ...this.#fixed, messages: this.#messages };
  }

  addUser(parts: readonly UserPart[]): void {
    if (parts.length > 0) this.#messages = [...this.#messages, { role: 'user', parts }];
  }

  addMessage(message: AssistantMessage): void {
    this.#messages = [...this.#messages, message];
  }

  /** Adds the results of a message's calls: together at most half of what is left of the window, each cut in its middle. */
  addResults(outcomes: readonly CallOutcome[], window: number): void {
    if (outcomes.length === 0) return;
    const limit = Math.max(LEAST_RESULT, Math.floor((this.roomFor(window) * RESULTS_SHARE) / outcomes.length));
    const results = outcomes.map((outcome) => {
      const { text } = cutMiddle(outcome.text, limit);
      return { id: outcome.id, name: outcome.name, text: resultText({ ...outcome, text }), isError: outcome.isError };
    });
    this.#messages = [...this.#messages, { role: 'tool', results }];
    this.addUser(outcomes.flatMap(({ name, images }) => images.flatMap((image) => imageParts(name, image))));
  }

  /** Characters that still fit into `window`. */
  roomFor(window: number): number {
    return Math.floor(Math.max(0, window - this.tokens) / this.#ratio);
  }

  /** A provider counted `inputTokens` for the request as it is now. */
  counted(inputTokens: number): void {
    const size = this.#size();
    if (inputTokens > 0 && size > 0) this.#ratio = Math.min(1, Math.max(0.05, inputTokens / size));
  }

  /** Shrinks the messages when they would not fit into `window` tokens; null when they fit as they are. */
  fit(window: number, maxOutput: number | null): Shrinkage | null {
    const answer = Math.min(maxOutput ?? ANSWER_TOKENS, window * ANSWER_SHARE);
    const room = (window - answer) / this.#ratio;
    return this.#size() <= room ? null : this.#shrink(room - this.#fixedSize);
  }

  /** Shrinks the messages after a provider refused them as too long; null when they cannot get noticeably smaller. */
  shrink(window: number): Shrinkage | null {
    const target = Math.min(sizeOf(this.#messages) * 0.6, window / FIRST_RATIO / 2);
    const done = this.#shrink(target);
    return done.after <= done.before * ENOUGH ? done : null;
  }

  #shrink(target: number): Shrinkage {
    const before = sizeOf(this.#messages);
    this.#messages = compact(this.#messages, Math.max(0, target));
    return { before, after: sizeOf(this.#messages) };
  }

  #size(): number {
    return this.#fixedSize + sizeOf(this.#messages);
  }

  /** About how many tokens the request has. */
  get tokens(): number {
    return Math.ceil(this.#size() * this.#ratio);
  }
}

/** Characters of the messages before and after they were made smaller. */
export interface Shrinkage {
  readonly before: number;
  readonly after: number;
}

function imageParts(tool: string, { mediaType, base64 }: ToolImage): UserPart[] {
  return [
    { type: 'text', text: `${IMAGE_OF}${tool} returned:` },
    { type: 'image', mediaType, base64 },
  ];
}
