/** One line of a unified diff. Numbers are 1-based; a line that is only on the other side has null. */
export interface DiffLine {
  readonly type: 'same' | 'add' | 'remove' | 'gap' | 'note';
  readonly before: number | null;
  readonly after: number | null;
  readonly text: string;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;
const HEADER = /^(?:diff |index |--- |\+\+\+ |new file|deleted file|similarity |rename |old mode|new mode)/;

/**
 * Reads the hunks of a unified diff, with or without file header. Between two hunks stands a `gap`; what is no line of a
 * diff (`\ No newline at end of file`, `… diff cut`) is a `note`. Text that is no diff at all comes out as notes.
 */
export function diffLines(diff: string): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let inside = false;
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const hunk = HUNK.exec(line);
    if (hunk !== null) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      if (inside) lines.push({ type: 'gap', before: null, after: null, text: hunk[3] ?? '' });
      inside = true;
    } else if (!inside && HEADER.test(line)) continue;
    else if (inside && line.startsWith('+')) {
      lines.push({ type: 'add', before: null, after, text: line.slice(1) });
      after += 1;
    } else if (inside && line.startsWith('-')) {
      lines.push({ type: 'remove', before, after: null, text: line.slice(1) });
      before += 1;
    } else if (inside && (line.startsWith(' ') || line === '')) {
      lines.push({ type: 'same', before, after, text: line.slice(1) });
      before += 1;
      after += 1;
    } else if (line !== '') lines.push({ type: 'note', before: null, after: null, text: line });
  }
  return lines;
}
