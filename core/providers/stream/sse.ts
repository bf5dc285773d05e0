/** One event of a `text/event-stream`. */
export interface SseEvent {
  /** Lines of an event's data, joined by `\n`. */
  readonly data: string;
}

/** A line, or an event of many lines, that is longer than this is none of a model; 16 Mi characters. */
const LONGEST = 16 * 1024 * 1024;

/**
 * Parser of server-sent events (WHATWG HTML §9.2.6): lines end with LF, CRLF or CR, also cut between chunks; comments and
 * unknown fields are skipped. Beyond the standard, an event at the very end counts without its blank line (B07).
 */
export class SseParser {
  #line = '';
  #data: string[] = [];
  #dataLength = 0;
  #afterCr = false;
  #atStart = true;

  /** The events that the text completes. Throws when a line has no end. */
  push(chunk: string): SseEvent[] {
    let text = chunk;
    if (text === '') return [];
    if (this.#atStart && text.startsWith('\uFEFF')) text = text.slice(1);
    this.#atStart = false;
    const events: SseEvent[] = [];
    let from = this.#afterCr && text.startsWith('\n') ? 1 : 0;
    this.#afterCr = false;
    // Only CR and LF end a line: U+2028, U+0085 and their like are content.
    for (let at = nextBreak(text, from); at !== -1; at = nextBreak(text, from)) {
      this.#endLine(this.#line + text.slice(from, at), events);
      this.#line = '';
      from = at + 1;
      if (text[at] === '\r') {
        if (from === text.length) this.#afterCr = true;
        else if (text[from] === '\n') from += 1;
      }
    }
    this.#line += text.slice(from);
    if (this.#line.length > LONGEST) throw new Error('A line of the event stream has no end');
    if (this.#dataLength > LONGEST) throw new Error('An event of the stream has no end');
    return events;
  }

  /** The event that the end of the stream completes, if any. */
  end(): SseEvent[] {
    const events: SseEvent[] = [];
    if (this.#line !== '') this.#endLine(this.#line, events);
    this.#line = '';
    this.#endLine('', events);
    return events;
  }

  #endLine(line: string, events: SseEvent[]): void {
    if (line === '') {
      if (this.#data.length) events.push({ data: this.#data.join('\n') });
      this.#data = [];
      this.#dataLength = 0;
    } else if (line.startsWith('data:')) {
      this.#data.push(line.slice(line[5] === ' ' ? 6 : 5));
      this.#dataLength += line.length;
    } else if (line === 'data') {
      this.#data.push('');
    }
  }
}

function nextBreak(text: string, from: number): number {
  const lf = text.indexOf('\n', from);
  const cr = text.indexOf('\r', from);
  return lf === -1 || (cr !== -1 && cr < lf) ? cr : lf;
}
