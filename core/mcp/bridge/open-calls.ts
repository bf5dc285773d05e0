import { NOTHING_TO_WAIT_FOR } from '../../protocol/delegate-tool.ts';

/** Answer of a call to the core. */
export interface CallAnswer {
  readonly isError: boolean;
  readonly text: string;
}

interface OpenCall {
  readonly content: string;
  readonly answer: Promise<CallAnswer>;
  /** The client has stopped to wait for it: it timed out, was interrupted, or its connection went. */
  abandoned: boolean;
  /** What came of it; null while it is on its way. */
  text: string | null;
}

/** A client that gives up on call after call keeps so many answers; the oldest go first. */
const MOST_KEPT = 256;
/** What a client gives up after its answer has left crosses it by moments. */
const MOST_HANDED = 16;

const DELEGATION = /\bdeleg_[0-9a-f]{8}\b/g;

/**
 * The calls on their way to the core. A client that gave up on a call (its own time limit, a lost connection) and sends the same again is put back
 * on the first one, so that nothing is started twice (P7); an answer that came meanwhile is kept for it.
 */
export class OpenCalls {
  readonly #calls = new Set<OpenCall>();
  /** The latest that were answered, by their requests. */
  readonly #handed = new Map<string, OpenCall>();

  /**
   * Gives the answer of the call with this content: of an abandoned one, else of the one that `begin` starts.
   * @param request that of the client; it may give it up while the answer is on its way
   * @param gone aborted when the client no longer waits
   */
  async answer(
    content: string,
    { request, gone }: { readonly request: string; readonly gone: AbortSignal },
    begin: () => Promise<CallAnswer>,
  ): Promise<CallAnswer> {
    const call = this.#taken(content) ?? this.#begun(content, begin);
    const abandon = (): void => {
      call.abandoned = true;
    };
    if (gone.aborted) abandon();
    gone.addEventListener('abort', abandon, { once: true });
    try {
      return await call.answer;
    } finally {
      gone.removeEventListener('abort', abandon);
      if (!call.abandoned) this.#hand(call, request);
    }
  }

  /** The client has given up a request. One whose answer it has not taken, as both met on their way, is kept like one that it gave up before. */
  givenUp(request: string): void {
    const call = this.#handed.get(request);
    if (call === undefined) return;
    this.#handed.delete(request);
    call.abandoned = true;
    this.#calls.add(call);
  }

  #hand(call: OpenCall, request: string): void {
    this.#calls.delete(call);
    this.#handed.set(request, call);
    for (const oldest of [...this.#handed.keys()].slice(0, -MOST_HANDED)) this.#handed.delete(oldest);
  }

  /**
   * Takes the answers that no call has brought to the client: of calls that it gave up and has not sent again. One that it hears of in `told`, by its
   * delegations, is taken and not given; with `only` all others stay.
   */
  unheard(told: string, only: string | null): string[] {
    const texts: string[] = [];
    for (const call of this.#calls) {
      const { abandoned, text } = call;
      if (!abandoned || text === null || (only !== null && !text.includes(only))) continue;
      this.#calls.delete(call);
      const delegations = text.match(DELEGATION) ?? [];
      const isTold = delegations.length > 0 && delegations.every((id) => told.includes(id));
      if (!isTold && text !== NOTHING_TO_WAIT_FOR) texts.push(text);
    }
    return texts;
  }

  #taken(content: string): OpenCall | null {
    for (const call of this.#calls) {
      if (!call.abandoned || call.content !== content) continue;
      call.abandoned = false;
      return call;
    }
    return null;
  }

  #begun(content: string, begin: () => Promise<CallAnswer>): OpenCall {
    const call: OpenCall = { content, answer: begin(), abandoned: false, text: null };
    this.#calls.add(call);
    call.answer.then(
      ({ isError, text }) => {
        call.text = text;
        // One that failed or was refused has nothing to go back to.
        if (isError) this.#calls.delete(call);
        else this.#dropOldest();
      },
      () => this.#calls.delete(call),
    );
    return call;
  }

  #dropOldest(): void {
    const kept = [...this.#calls].filter(({ abandoned, text }) => abandoned && text !== null);
    for (const call of kept.slice(0, -MOST_KEPT)) this.#calls.delete(call);
  }
}
