/**
 * What a program wrote for a terminal, as text. `plain` is for models and files of record: no escape sequence, no control character but tab and
 * newline; a line that was redrawn with carriage returns or backspaces is its last state. `styled` is for a terminal view: colours and
 * simple cursor moves stay, everything that could act on the terminal or the machine (title, clipboard, screen modes, device strings) goes.
 */
export type TerminalTextMode = 'plain' | 'styled';
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const ALL_CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
/** Everything but newline, tab, carriage return, backspace and ESC. */
const INERT_CONTROLS = /[\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]/g;
/** Strings (OSC, DCS, SOS, PM, APC) up to their end or to what cancels them; control sequences; two-character escapes. */
const SEQUENCE =
  /(?:\x1b\]|\x9d)[^\x07\x1b\x9c\x18\x1a\n]*(?:\x07|\x1b\\|\x9c|(?=[\x1b\x18\x1a\n]))|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c\x18\x1a]*(?:\x1b\\|\x9c|(?=[\x1b\x18\x1a]))|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-OQ-WYZ\\`-~]/y;
const KEPT_WHEN_STYLED = /^\x1b\[[0-9;:]*[mABCDGK]$/;
const INTRODUCER = /[\x1b\x90\x98\x9b\x9d-\x9f]/g;
/** The beginning of a sequence that the next chunk may finish. */
const UNFINISHED =
  /(?:\x1b|(?:\x1b\[|\x9b)[0-?]*[ -/]*|\x1b[ -/]+|(?:\x1b\]|\x9d)[^\x07\x1b\x9c\x18\x1a\n]*|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c\x18\x1a]*)$/y;
const STRING_START = /^(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])/;
const STRING_END = /\x07|\x1b|\x9c|\x18|\x1a|\n/;

/** An unfinished sequence longer than this is not waited for. */
const HOLD_LIMIT = 4096;
/** An unfinished line longer than this is handed on as it is. */
const LINE_LIMIT = 16_384;

/** Turns a stream of decoded text, cut anywhere, into plain or styled text; memory stays bounded whatever comes. */
export class TerminalText {
  readonly #mode: TerminalTextMode;
  #held = '';
  #line = '';
  #inString = false;

  constructor(mode: TerminalTextMode) {
    this.#mode = mode;
  }

  /** The text that is settled by now; an unfinished sequence, and in `plain` mode an unfinished line, is kept back. */
  push(text: string): string {
    const shown = this.#withoutSequences(text);
    return this.#mode === 'styled' ? shown : this.#settledLines(shown);
  }

  /** The rest; the stream is over. */
  end(): string {
    this.#held = '';
    this.#inString = false;
    return this.takeLine();
  }

  /** The unfinished line that `plain` mode keeps back, for a reader who does not want to wait; what follows is a new piece. */
  takeLine(): string {
    const rest = this.#line;
    this.#line = '';
    return plainLines(rest);
  }

  #withoutSequences(chunk: string): string {
    let text = this.#held + chunk;
    this.#held = '';
    if (this.#inString) {
      const end = text.search(STRING_END);
      if (end < 0) return '';
      this.#inString = false;
      text = text.slice(end);
    }
    if (!CONTROL.test(text)) return text;
    const shown = this.#scan(text);
    return this.#mode === 'styled' ? shown.replace(INERT_CONTROLS, '') : shown;
  }

  /**
   * One pass from the left, so that nothing depends on where the stream was cut: a sequence goes, or stays when it is kept; an unfinished one at the
   * end waits for the next chunk; what only looks like the beginning of one is dropped alone.
   */
  #scan(text: string): string {
    let shown = '';
    let at = 0;
    INTRODUCER.lastIndex = 0;
    for (let found = INTRODUCER.exec(text); found !== null; found = INTRODUCER.exec(text)) {
      const { index } = found;
      shown += text.slice(at, index);
      const sequence = matchAt(SEQUENCE, text, index);
      if (sequence === null && matchAt(UNFINISHED, text, index) !== null) {
        this.#hold(text.slice(index));
        return shown;
      }
      if (sequence !== null && this.#mode === 'styled' && KEPT_WHEN_STYLED.test(sequence)) shown += sequence;
      at = index + (sequence?.length ?? 1);
      INTRODUCER.lastIndex = at;
    }
    return shown + text.slice(at);
  }

  /** Keeps an unfinished sequence for the next chunk. */
  #hold(tail: string): void {
    if (tail.length <= HOLD_LIMIT) this.#held = tail;
    else if (STRING_START.test(tail)) this.#inString = true;
  }

  #settledLines(chunk: string): string {
    const text = this.#line + chunk;
    const cut = text.lastIndexOf('\n') + 1;
    const tail = text.slice(cut);
    // Returns at its end redraw nothing yet: a newline may follow, with which they end the line.
    const drawn = withoutLastReturns(tail);
    const line = drawn.slice(drawn.lastIndexOf('\r') + 1) + (drawn.length < tail.length ? '\r' : '');
    if (line.length <= LINE_LIMIT) {
      this.#line = line;
      return plainLines(text.slice(0, cut));
    }
    const keep = line.endsWith('\r') ? line.length - 1 : line.length;
    this.#line = line.slice(keep);
    return plainLines(text.slice(0, cut) + line.slice(0, keep));
  }
}

function withoutLastReturns(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  return line.slice(0, end);
}

/** What a sticky expression matches at a place. */
function matchAt(expression: RegExp, text: string, at: number): string | null {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] ?? null;
}

/** `text` as a whole in plain form: see {@link TerminalTextMode}. */
export function plainText(text: string): string {
  if (!CONTROL.test(text)) return text;
  const stream = new TerminalText('plain');
  return stream.push(text) + stream.end();
}

/** Carriage returns, backspaces and the remaining controls of whole lines, as a terminal would leave them. */
function plainLines(text: string): string {
  if (!CONTROL.test(text)) return text;
  let lines = text;
  if (lines.includes('\r')) {
    lines = lines
      .split('\n')
      .map((line) => {
        const whole = withoutLastReturns(line);
        return whole.slice(whole.lastIndexOf('\r') + 1);
      })
      .join('\n');
  }
  if (lines.includes('\b')) lines = withoutBackspaces(lines);
  return lines.replace(ALL_CONTROLS, '');
}

function withoutBackspaces(text: string): string {
  const kept: string[] = [];
  for (const character of text) {
    if (character !== '\b') kept.push(character);
    else if (kept.length > 0 && kept.at(-1) !== '\n') kept.pop();
  }
  return kept.join('');
}

/** What turns the direction of the text behind it. */
const DIRECTION = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Whatever makes a text more than the letters it shows. */
const ACTING = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/**
 * Words of somebody else, to be read on a terminal: nothing in them acts on it, hides what stands before it, or changes the order in which
 * they are read. Unlike in {@link plainText} a carriage return and a backspace redraw nothing: the first is an end of a line, the second is nothing.
 */
export function inertText(text: string): string {
  if (!ACTING.test(text)) return text;
  return plainText(text.replaceAll('\b', '').replace(/\r\n?/g, '\n')).replace(DIRECTION, '');
}
