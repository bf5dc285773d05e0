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
