import { PROMPTS_FILE, type SentPrompt } from '../protocol/sent-prompt.ts';
import { appendLine } from './private-lines.ts';

const MAX_TEXT = 512 * 1024;

/** What tells one kind of request from another. */
interface PromptHead {
  readonly model: string;
  readonly system: string;
  readonly tools: readonly { readonly name: string }[];
}

/** Keeps what an attempt sends first, and again when its model or its tools are others, for people to read (ui.md, *Prompt*). */
export class SentPrompts {
  readonly #folder: string;
  #last = '';

  constructor(spillFolder: string) {
    this.#folder = spillFolder;
  }

  /**
   * Keeps a prompt unless one with the same head was kept. Resolves with why it could not be kept, else with null: the request itself neither
   * waits for this nor fails by it.
   */
  async keep(head: PromptHead, make: () => Omit<SentPrompt, 'cut'>): Promise<string | null> {
    const key = [head.model, head.system.length, ...head.tools.map(({ name }) => name)].join('\n');
    if (key === this.#last) return null;
    this.#last = key;
    const prompt = make();
    let cut = false;
    const bounded = (text: string): string => {
      cut ||= text.length > MAX_TEXT;
      return text.slice(0, MAX_TEXT);
    };
    const system = bounded(prompt.system);
    const messages = prompt.messages.map(({ role, text }) => ({ role, text: bounded(text) }));
    try {
      await appendLine(this.#folder, PROMPTS_FILE, { ...prompt, system, messages, cut } satisfies SentPrompt);
      return null;
    } catch (cause) {
      return cause instanceof Error ? cause.message : String(cause);
    }
  }
}
