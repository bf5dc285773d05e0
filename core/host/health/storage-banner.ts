/** What is wrong with storage, over all databases, in the words that clients show as a banner (D6). */
export class StorageBanner {
  readonly #troubles = new Map<string, string>();
  readonly #changed: () => void;

  /** `changed` is called whenever {@link text} is another one. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** One message, and how many others there are; null when all is well. */
  get text(): string | null {
    const messages = [...new Set(this.#troubles.values())];
    const [first] = messages;
    if (first === undefined) return null;
    if (messages.length === 1) return first;
    return `${first} ${String(messages.length - 1)} more ${messages.length === 2 ? 'database has' : 'databases have'} trouble: espalier doctor lists all.`;
  }

  /** What is wrong with `what` (a database's path, or a part of it), or with null that it is well again. */
  tell(what: string, message: string | null): void {
    const before = this.text;
    if (message === null) this.#troubles.delete(what);
    else this.#troubles.set(what, message);
    if (this.text !== before) this.#changed();
  }
}
