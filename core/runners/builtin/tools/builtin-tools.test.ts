import { expect, test } from 'vitest';
import { Permission } from '../../../protocol/settings.ts';
import { BUILTIN_TOOLS } from './builtin-tools.ts';
import { permissionFor } from './permission.ts';
import { prepareCall } from './prepare-call.ts';

/** A1 written a second time, by hand. */
const NEEDS: Record<string, readonly [plan: string, ask: string, edit: string, auto: string]> = {
  read: ['free', 'free', 'free', 'free'],
  ls: ['free', 'free', 'free', 'free'],
  glob: ['free', 'free', 'free', 'free'],
  grep: ['free', 'free', 'free', 'free'],
  edit: ['deny', 'ask', 'free', 'free'],
  write: ['deny', 'ask', 'free', 'free'],
  bash: ['deny', 'ask', 'ask', 'free'],
  bash_output: ['free', 'free', 'free', 'free'],
  bash_list: ['free', 'free', 'free', 'free'],
  bash_kill: ['free', 'free', 'free', 'free'],
};

test('A1: every tool needs in every mode what the rule says', () => {
  for (const tool of BUILTIN_TOOLS) {
    expect([tool.name, ...Permission.options.map((mode) => permissionFor(tool, mode))]).toEqual([
      tool.name,
      ...(NEEDS[tool.name] ?? []),
    ]);
  }
  expect(BUILTIN_TOOLS.map((tool) => tool.name).sort()).toEqual(Object.keys(NEEDS).sort());
});

test('A1, R4: the tools that change nothing are marked read-only', () => {
  const readOnly = BUILTIN_TOOLS.filter((tool) => tool.readOnly).map((tool) => tool.name);
  expect(readOnly).toEqual(['read', 'ls', 'glob', 'grep', 'bash_output', 'bash_list']);
});

test('K1: the definitions that go to a model are short, plain JSON', () => {
  const definitions = BUILTIN_TOOLS.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const text = JSON.stringify(definitions);
  expect(JSON.parse(text)).toEqual(definitions);
  expect(text.length).toBeLessThan(8000);
});

test.each([
  ['edit', { path: 'src/a.ts', old_string: 'a', new_string: 'b' }, 'Editing src/a.ts'],
  ['bash', { command: 'npm\n test' }, 'Running npm test'],
  ['bash', { command: 'x'.repeat(300), background: true }, `Starting ${'x'.repeat(90)}…`],
  ['grep', { pattern: 'a+', path: 'src' }, 'Searching a+ in src'],
  ['ls', {}, 'Listing the workspace'],
])('a call of %s with %j has one line of activity', (name, args, title) => {
  const prepared = prepareCall(BUILTIN_TOOLS, name, JSON.stringify(args));
  expect(prepared.ok && prepared.value.title).toBe(title);
});

test('B09, B19: a call that cannot be run is answered, and the answer names the tool, the field and the fix', () => {
  const refused = (name: string, raw: string): string => {
    const prepared = prepareCall(BUILTIN_TOOLS, name, raw);
    return prepared.ok ? 'ok' : prepared.error.text;
  };
  expect(refused('bash', '{"command":"rm -rf build')).toContain('cut off');
  expect(refused('bash', '')).toContain('without arguments');
  expect(refused('bash_list', '')).toBe('ok');
  expect(refused('write', '{"path":"a"}')).toBe(
    'write was not run: "content" is missing (the whole text of the file).',
  );
  expect(refused('shell', '{}')).toBe(
    'There is no tool "shell". Tools: read, ls, glob, grep, edit, write, bash, bash_output, bash_list, bash_kill.',
  );
});
