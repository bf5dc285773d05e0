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
}

/**
 * The calls on their way to the core. A client that gave up on a call (its own time limit, a lost connection) and sends the same again is put back
 * on the first one, so that nothing is started twice (P7); an answer that came meanwhile is kept for it.
 */
export class OpenCalls {
  readonly #calls = new Set<OpenCall>();

  /**
   * Gives the answer of the call with this content: of an abandoned one, else of the one that `begin` starts.
   * @param gone aborted when the client no longer waits
   */
  async answer(content: string, gone: AbortSignal, begin: () => Promise<CallAnswer>): Promise<CallAnswer> {
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
      if (!call.abandoned) this.#calls.delete(call);
    }
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
    const call: OpenCall = { content, answer: begin(), abandoned: false };
    this.#calls.add(call);
    // One that failed or was refused has nothing to go back to.
    call.answer.then(
      ({ isError }) => isError && this.#calls.delete(call),
      () => this.#calls.delete(call),
    );
    return call;
  }
}
