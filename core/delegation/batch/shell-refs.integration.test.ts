import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { replaceInShell } from './shell-refs.ts';

const OUTPUT = `it's "two  words" $(echo pwned) \`echo pwned\` $HOME; echo pwned\n* \\`;
const outputOf = (id: string): string | undefined => (id === 'a' ? OUTPUT : undefined);

const ran = (line: string): string =>
  execFileSync('/bin/sh', ['-c', replaceInShell(line, outputOf, 'linux')], { encoding: 'utf8', env: {} });

test.each([
  ['without quotes', 'printf "<%s>" {outputs.a}', `<${OUTPUT}>`],
  ['in double quotes', 'printf "%s" "x {outputs.a} y"', `x ${OUTPUT} y`],
  ['in single quotes', "printf '%s' 'x {outputs.a} y'", `x ${OUTPUT} y`],
  ['after an escaped quote', 'printf "%s" \\"{outputs.a}', `"${OUTPUT}`],
  ['twice', 'printf "<%s>" {outputs.a} {outputs.a}', `<${OUTPUT}><${OUTPUT}>`],
])('R10: an output %s is one word of a shell line, and nothing in it is run', (_where, line, expected) => {
  expect(ran(line)).toBe(expected);
});

test('R10: inside a substitution an output may fall into words, but nothing in it is run', () => {
  expect(ran('printf "%s" "$(printf "<%s>" {outputs.a})"')).toContain('$(echo');
  expect(ran('printf "%s" "$(printf "<%s>" {outputs.a})"')).toContain('`echo');
});

test('R10: a marker of no task stays; for cmd an output is one quoted text', () => {
  expect(replaceInShell('echo {outputs.b}', outputOf, 'linux')).toBe('echo {outputs.b}');
  expect(replaceInShell('echo {outputs.a} {outputs.b}', () => 'a "b" & c\r\nd', 'win32')).toBe(
    'echo "a ""b"" & c d" "a ""b"" & c d"',
  );
});

/** What `cmd` does with a line before it looks at quotes: `%NAME%` of a variable that there is; on a command line others stay. */
const expanded = (line: string, variables: Readonly<Record<string, string>>): string =>
  line.replace(/%([^%]+)%/g, (found, name: string) => variables[name] ?? found);

/** What `cmd` gives to a program: carets are taken away outside of quotes, and nothing there acts. */
const afterCmd = (line: string): string =>
  line.replace(/"[^"]*"?|\^([^])|[&|<>]/g, (found, escaped: string | undefined) => {
    if ('&|<>'.includes(found)) throw new Error(`${found} acts in ${line}`);
    return escaped ?? found;
  });

/** The words of a line as a program of the C runtime reads them. */
function words(line: string): string[] {
  let inside = false;
  let text = '';
  for (const [token, slashes = '', quotes = ''] of line.matchAll(/((?:\\\\)*)("+)|[^"\\]+|\\+/g)) {
    const plain = inside ? token : token.replaceAll(' ', '\0');
    text += quotes === '' ? plain : slashes.slice(slashes.length / 2);
    for (let left = quotes.length; left > 0; left -= 1) {
      if (inside && left > 1) [text, left] = [`${text}"`, left - 1];
      else inside = !inside;
    }
  }
  return text.split('\0').filter((word) => word !== '');
}

const NASTY = 'it\'s "two  words" %PATH% %% 100% "%PATH%" & calc | more ^ ^% > x \\" \\';

test.each([
  ['without quotes', 'tool {outputs.a} end', ['tool', NASTY, 'end']],
  ['in quotes', 'tool "x {outputs.a} y" end', ['tool', `x ${NASTY} y`, 'end']],
  ['at the end of quotes', 'tool "x {outputs.a}" end', ['tool', `x ${NASTY}`, 'end']],
  ['after an escaped quote', 'tool ^& {outputs.a} end', ['tool', '&', NASTY, 'end']],
  ['twice', 'tool {outputs.a} {outputs.a}', ['tool', NASTY, NASTY]],
])('R10: for cmd an output %s is one word too: no variable is put in, nothing acts', (_where, line, expected) => {
  const variables = { PATH: 'C:\\secret', ' %': 'x', ' ': 'x', '% 100': 'x' };
  const given = replaceInShell(line, () => NASTY, 'win32');
  expect(words(afterCmd(expanded(given, variables)))).toEqual(expected);
});
