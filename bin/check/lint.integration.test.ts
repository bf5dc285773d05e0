import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ESLint } from 'eslint';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inRoot } from '../setup/root.mjs';

const lines = (count: number) => Array.from({ length: count }, (_, at) => `export const line${at} = ${at};`).join('\n');
const statements = (count: number) => Array.from({ length: count }, (_, at) => `  console.log(${at});`).join('\n');
const branches = (count: number) =>
  Array.from({ length: count }, (_, at) => `  if (x === ${at}) return ${at};`).join('\n');
const UNION = `export type Shape = { type: 'a' } | { type: 'b' };\n`;
const TEST = `import { test } from 'vitest';\n`;

/** `file`: source → the rule that must fire, or nothing that may. */
const PLANTED: { title: string; file: string; source: string; rule: string | null }[] = [
  { title: 'a file of 400 lines', file: 'core/a.ts', source: lines(400), rule: null },
  { title: 'a file of 401 lines', file: 'core/b.ts', source: lines(401), rule: 'max-lines' },
  { title: 'a component file of 200 lines', file: 'renderer/a.tsx', source: lines(200), rule: null },
  { title: 'a component file of 201 lines', file: 'renderer/b.tsx', source: lines(201), rule: 'max-lines' },
  { title: 'a preload of 41 lines', file: 'electron/preload.ts', source: lines(41), rule: 'max-lines' },
  {
    title: 'a function of 60 lines',
    file: 'core/c.ts',
    source: `export function f() {\n${statements(58)}\n}`,
    rule: null,
  },
  {
    title: 'a function of 61 lines',
    file: 'core/d.ts',
    source: `export function f() {\n${statements(59)}\n}`,
    rule: 'max-lines-per-function',
  },
  {
    title: 'complexity 12',
    file: 'core/e.ts',
    source: `export function f(x: number) {\n${branches(11)}\n  return 0;\n}`,
    rule: null,
  },
  {
    title: 'complexity 13',
    file: 'core/f.ts',
    source: `export function f(x: number) {\n${branches(12)}\n  return 0;\n}`,
    rule: 'complexity',
  },
  {
    title: 'an exhaustive switch',
    file: 'core/g.ts',
    source: `${UNION}export function f(s: Shape) { switch (s.type) { case 'a': return 1; case 'b': return 2; } }`,
    rule: null,
  },
  {
    title: 'a switch that forgets a member',
    file: 'core/h.ts',
    source: `${UNION}export function f(s: Shape) { switch (s.type) { case 'a': return 1; } return 2; }`,
    rule: '@typescript-eslint/switch-exhaustiveness-check',
  },
  {
    title: 'a default does not make a switch exhaustive',
    file: 'core/i.ts',
    source: `${UNION}export function f(s: Shape) { switch (s.type) { case 'a': return 1; default: return 2; } }`,
    rule: '@typescript-eslint/switch-exhaustiveness-check',
  },
  {
    title: 'a promise that nobody waits for',
    file: 'core/j.ts',
    source: `export function f(p: Promise<void>) { p.then(() => 1); }`,
    rule: '@typescript-eslint/no-floating-promises',
  },
  {
    title: 'a promise where none is expected',
    file: 'core/k.ts',
    source: `export function f(p: Promise<boolean>) { return p ? 1 : 2; }`,
    rule: '@typescript-eslint/no-misused-promises',
  },
  { title: 'any', file: 'core/l.ts', source: `export const x: any = 1;`, rule: '@typescript-eslint/no-explicit-any' },
  {
    title: 'a claim that something is there',
    file: 'core/m.ts',
    source: `export function f(x?: string) { return x!.length; }`,
    rule: '@typescript-eslint/no-non-null-assertion',
  },
  {
    title: 'an empty catch',
    file: 'core/n.ts',
    source: `export function f() { try { f(); } catch {} }`,
    rule: 'no-empty',
  },
  {
    title: 'a suppression without a reason',
    file: 'core/o.ts',
    source: `// eslint-disable-next-line no-var\nexport var x = 1;`,
    rule: 'house/suppression-reason',
  },
  {
    title: 'a suppression with a reason',
    file: 'core/p.ts',
    source: `// eslint-disable-next-line no-var -- shows how a reason is given\nexport var x = 1;`,
    rule: null,
  },
  {
    title: 'a suppression of nothing',
    file: 'core/q.ts',
    source: `// eslint-disable-next-line no-var -- there is nothing to suppress\nexport const x = 1;`,
    rule: 'unused directive',
  },
  {
    title: 'a type error silenced without a reason',
    file: 'core/r.ts',
    source: `// @ts-expect-error\nexport const x: number = 'a';`,
    rule: '@typescript-eslint/ban-ts-comment',
  },
  { title: 'a barrel', file: 'core/s.ts', source: `export { x } from './p.ts';`, rule: 'house/no-barrel' },
  { title: 'a folder called helpers', file: 'core/helpers/a.ts', source: 'export {};', rule: 'house/domain-names' },
  {
    title: 'a test that is switched off',
    file: 'core/a.test.ts',
    source: `${TEST}test.skip('adds', () => undefined);`,
    rule: 'house/honest-tests',
  },
  {
    title: 'two tests of one title',
    file: 'core/b.test.ts',
    source: `${TEST}test('adds', () => undefined);\ntest('adds', () => undefined);`,
    rule: 'house/honest-tests',
  },
  {
    title: 'a hook called sometimes',
    file: 'renderer/c.tsx',
    source: `import { useState } from 'react';\nexport function C(p: { on: boolean }) { if (p.on) useState(1); return null; }`,
    rule: 'react-hooks/rules-of-hooks',
  },
];

let root: string;
const found = new Map<string, (string | null)[]>();

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'espalier-lint-'));
  symlinkSync(inRoot('node_modules'), join(root, 'node_modules'), 'dir');
  write('package.json', '{ "type": "module" }');
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    jsx: 'react-jsx',
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['core', 'renderer', 'electron'] }));
  for (const { file, source } of PLANTED) write(file, `${source}\n`);
  const eslint = new ESLint({ cwd: root, overrideConfigFile: inRoot('eslint.config.js') });
  for (const { filePath, messages } of await eslint.lintFiles(['core', 'renderer', 'electron'])) {
    const rules = messages.map(({ ruleId, message }) =>
      message.startsWith('Unused eslint') ? 'unused directive' : ruleId,
    );
    found.set(filePath.slice(root.length + 1), rules);
  }
}, 120_000);

afterAll(() => rmSync(root, { recursive: true, force: true }));

test.each(PLANTED)('$title ⇒ $rule', ({ file, rule }) => {
  expect(found.get(file)).toEqual(rule === null ? [] : [rule]);
});

function write(file: string, source: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), source);
}
