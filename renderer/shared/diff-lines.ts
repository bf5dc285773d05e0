/** One line of a unified diff. Numbers are 1-based; a line that is only on the other side has null. */
export interface DiffLine {
  readonly type: 'same' | 'add' | 'remove' | 'gap' | 'note';
  readonly before: number | null;
  readonly after: number | null;
  readonly text: string;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;
const HEADER = /^(?:diff |index |--- |\+\+\+ |new file|deleted file|similarity |rename |old mode|new mode)/;

const bare = (type: 'gap' | 'note', text: string): DiffLine => ({ type, before: null, after: null, text });

/** The line at a place of both sides, by its sign; null if it is no line of a hunk. */
function hunkLine(line: string, before: number, after: number): DiffLine | null {
  const text = line.slice(1);
  switch (line.charAt(0)) {
    case '+':
      return { type: 'add', before: null, after, text };
    case '-':
      return { type: 'remove', before, after: null, text };
    case ' ':
    case '':
      return { type: 'same', before, after, text };
    default:
      return null;
  }
}

/** Reads lines one after another, and where each stands on both sides. */
class Hunks {
  readonly lines: DiffLine[] = [];
  #before = 0;
  #after = 0;
  #inside = false;

  begin(hunk: RegExpExecArray): void {
    this.#before = Number(hunk[1]);
    this.#after = Number(hunk[2]);
    if (this.#inside) this.lines.push(bare('gap', hunk[3] ?? ''));
    this.#inside = true;
  }

  add(line: string): void {
    if (!this.#inside && HEADER.test(line)) return;
    const read = this.#inside ? hunkLine(line, this.#before, this.#after) : null;
    if (read === null) {
      if (line !== '') this.lines.push(bare('note', line));
      return;
    }
    this.lines.push(read);
    if (read.before !== null) this.#before += 1;
    if (read.after !== null) this.#after += 1;
  }
}

/**
 * Reads the hunks of a unified diff, with or without file header. Between two hunks stands a `gap`; what is no line of a
 * diff (`\\ No newline at end of file`, `… diff cut`) is a `note`. Text that is no diff at all comes out as notes.
 */
export function diffLines(diff: string): readonly DiffLine[] {
  const hunks = new Hunks();
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const hunk = HUNK.exec(line);
    if (hunk === null) hunks.add(line);
    else hunks.begin(hunk);
  }
  return hunks.lines;
}
