const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** What may not be in a value: line ends, NUL, and characters that are no byte. */
const NOT_IN_VALUE = /[\0\r\n]|[^\0-\xff]/;

type Init = Iterable<readonly [string, string]> | Readonly<Record<string, string>>;

/**
 * `Headers` of the Fetch standard, without what only a browser needs. Node's own comes with its whole `fetch`, whose loading takes twice
 * the time in which a runtime starts, and the SDK's packages make no request but through us.
 */
export class PlainHeaders {
  readonly #values = new Map<string, string>();

  /** Objects of Node's class count too: the packages ask, to know how to read them. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof (value as Partial<Headers> | null | undefined)?.getSetCookie === 'function';
  }

  constructor(init: Init = {}) {
    const pairs = Symbol.iterator in init ? (init as Iterable<readonly [string, string]>) : Object.entries(init);
    for (const [name, value] of pairs) this.append(name, value);
  }

  append(name: string, value: string): void {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${String(value).trim()}`);
  }

  delete(name: string): void {
    this.#values.delete(key(name));
  }

  get(name: string): string | null {
    return this.#values.get(key(name)) ?? null;
  }

  getSetCookie(): string[] {
    const cookie = this.get('set-cookie');
    return cookie === null ? [] : [cookie];
  }

  has(name: string): boolean {
    return this.#values.has(key(name));
  }

  /** Throws, as the standard says, for a value that no header can have. The message leaves it out: it may be a key. */
  set(name: string, value: string): void {
    const text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
    if (NOT_IN_VALUE.test(text)) throw new TypeError(`The value of the header ${name} cannot be sent`);
    this.#values.set(key(name), text);
  }

  forEach(visit: (value: string, name: string, headers: PlainHeaders) => void): void {
    for (const [name, value] of this) visit(value, name, this);
  }

  *entries(): Generator<[string, string]> {
    yield* [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  *keys(): Generator<string> {
    for (const [name] of this.entries()) yield name;
  }

  *values(): Generator<string> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): Generator<[string, string]> {
    return this.entries();
  }
}

function key(name: string): string {
  if (!NAME.test(name)) throw new TypeError('This is not the name of a header');
  return name.toLowerCase();
}

/** Gives this process these headers in place of Node's. For a process that runs an agent and nothing else. */
export function usePlainHeaders(): void {
  // An assignment, because to define the property would first load what it replaces.
  (globalThis as { Headers: unknown }).Headers = PlainHeaders;
}
