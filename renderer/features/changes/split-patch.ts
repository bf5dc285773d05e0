/** The part of a patch that is about one file. */
export interface FilePatch {
  /** Its path after the change; before it for a deleted file. */
  readonly path: string;
  readonly text: string;
}

const unquoted = (path: string): string => {
  const cut = path.replace(/\t.*$/, '');
  if (!/^".*"$/.test(cut)) return cut;
  // Git writes bytes beyond ASCII as octal escapes, and the bytes are UTF-8.
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  const marks: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, b: 8, f: 12, v: 11, a: 7 };
  for (const part of cut.slice(1, -1).match(/\\[0-7]{3}|\\.|[^\\]+/gsu) ?? []) {
    if (/^\\[0-7]{3}$/.test(part)) bytes.push(Number.parseInt(part.slice(1), 8));
    else if (part.startsWith('\\')) bytes.push(marks[part.charAt(1)] ?? part.charCodeAt(1));
    else bytes.push(...encoder.encode(part));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
};

const named = (line: string | undefined): string | null => {
  if (line === undefined) return null;
  const path = unquoted(line.slice(4));
  return path === '/dev/null' ? null : path.replace(/^[ab]\//, '');
};

/** Lines before the first hunk: the only ones that name files. */
function headOf(part: string): readonly string[] {
  const hunk = part.search(/^@@ /m);
  return (hunk < 0 ? part : part.slice(0, hunk)).split('\n');
}

function pathOf(part: string): string {
  const lines = headOf(part);
  const line = (start: string): string | undefined => lines.find((one) => one.startsWith(start));
  const renamed = line('rename to ') ?? line('copy to ');
  const path = named(line('+++ ')) ?? named(line('--- '));
  if (path !== null) return path;
  if (renamed !== undefined) return unquoted(renamed.replace(/^(?:rename|copy) to /, ''));
  // Neither hunks nor a new name: `diff --git a/x b/x` says the same path twice.
  const same = /^diff --git ("?)a\/(.*)\1 \1b\/\2\1$/.exec(lines[0] ?? '');
  return same === null ? '' : unquoted(`${same[1] ?? ''}${same[2] ?? ''}${same[1] ?? ''}`);
}

/**
 * Cuts a unified diff with file headers into its files. With `diff --git` lines these are the borders, else a `---` line that a `+++` line
 * follows; lines within a hunk are told from headers by the numbers of the hunk.
 */
export function splitPatch(patch: string): readonly FilePatch[] {
  const starts: number[] = [];
  let at = 0;
  let left = { before: 0, after: 0 };
  let inGit = false;
  const lines = patch.split('\n');
  lines.forEach((line, place) => {
    if (left.before > 0 || left.after > 0) left = afterLine(left, line);
    else {
      const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
      if (hunk !== null) left = { before: Number(hunk[1] ?? 1), after: Number(hunk[2] ?? 1) };
      else if (line.startsWith('diff --git ')) {
        starts.push(at);
        inGit = true;
      } else if (!inGit && line.startsWith('--- ') && lines[place + 1]?.startsWith('+++ ') === true) starts.push(at);
    }
    at += line.length + 1;
  });
  return starts.map((start, place) => {
    const text = patch.slice(start, starts[place + 1] ?? patch.length);
    return { path: pathOf(text), text };
  });
}

interface Left {
  readonly before: number;
  readonly after: number;
}

/** What is left of a hunk after one of its lines. */
function afterLine({ before, after }: Left, line: string): Left {
  switch (line.charAt(0)) {
    case '+':
      return { before, after: after - 1 };
    case '-':
      return { before: before - 1, after };
    case '\\':
      return { before, after };
    default:
      return { before: before - 1, after: after - 1 };
  }
}
