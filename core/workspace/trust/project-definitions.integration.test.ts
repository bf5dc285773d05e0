import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readDefinitions } from './project-definitions.ts';

let outer: string;
let project: string;

beforeEach(() => {
  outer = realpathSync(mkdtempSync(join(tmpdir(), 'definitions-')));
  project = join(outer, 'project');
  mkdirSync(project);
});
afterEach(() => {
  rmSync(outer, { recursive: true, force: true });
});

function write(path: string, text: string, at = project): void {
  mkdirSync(dirname(join(at, path)), { recursive: true });
  writeFileSync(join(at, path), text);
}

const digest = async (): Promise<string> => (await readDefinitions(project)).digest;
const names = async (): Promise<string[]> => [...(await readDefinitions(project)).files.keys()];

test('A4: what defines agents, servers, hooks and settings is taken in, and nothing else', async () => {
  expect((await readDefinitions(project)).files.size).toBe(0);
  const defining = [
    '.agents/deep/er.md',
    '.claude/agents/reviewer.md',
    '.claude/skills/check/SKILL.md',
    '.espalier/agents/mine.md',
    '.espalier/hooks/start.sh',
    '.mcp.json',
    'espalier.json',
  ];
  for (const path of [...defining, 'AGENTS.md', '.claude/settings.json', '.agents/picture.png', 'src/espalier.json'])
    write(path, path);
  expect(await names()).toEqual(defining);
});

test('A4: the digest is of names and bytes: a changed, added, renamed or removed file is another', async () => {
  write('espalier.json', '{}');
  write('.claude/agents/a.md', 'one');
  const seen = [await digest()];
  const next = async (change: () => void): Promise<void> => {
    change();
    const now = await digest();
    expect(seen).not.toContain(now);
    seen.push(now);
  };
  await next(() => write('.claude/agents/a.md', 'two'));
  await next(() => write('.claude/agents/b.md', 'two'));
  await next(() => rmSync(join(project, '.claude/agents/a.md')));
  await next(() => write('.mcp.json', '{}'));
  await next(() => {
    // The same bytes, cut at another place between two files.
    write('espalier.json', '{');
    write('.mcp.json', '}{}');
  });
  write('src/code.ts', 'x');
  expect(await digest()).toBe(seen.at(-1));
});

test('A4: links that lead out, pipes and other kinds are faults, and nothing waits', async () => {
  write('agents/evil.md', 'x', outer);
  write('espalier.json', '{}');
  symlinkSync(join(outer, 'agents/evil.md'), join(project, '.mcp.json'));
  mkdirSync(join(project, '.claude'));
  symlinkSync(join(outer, 'agents'), join(project, '.claude/agents'));
  mkdirSync(join(project, '.espalier'));
  execFileSync('mkfifo', [join(project, '.espalier/pipe')]);
  symlinkSync('..', join(project, '.espalier/up'));
  const found = await readDefinitions(project);
  expect([...found.files.keys()]).toEqual(['espalier.json']);
  expect(found.faults).toEqual([
    expect.stringContaining('".mcp.json" leads outside'),
    expect.stringMatching(/pipe.*named pipe|up.*folder/),
    expect.stringMatching(/pipe.*named pipe|up.*folder/),
    expect.stringContaining('".claude/agents" leads outside'),
  ]);
});

test('A4: a link that stays inside counts by what it leads to', async () => {
  write('shared/a.md', 'one');
  mkdirSync(join(project, '.agents'));
  symlinkSync('../shared/a.md', join(project, '.agents/a.md'));
  const before = await digest();
  write('shared/a.md', 'two');
  expect(await digest()).not.toBe(before);
  expect((await readDefinitions(project)).faults).toEqual([]);
});

test('A4: too large, too many and too deep are faults, and take no more than that', async () => {
  write('espalier.json', 'x'.repeat(1024 * 1024 + 1));
  expect((await readDefinitions(project)).faults).toEqual(['"espalier.json" is larger than 1 MiB.']);
  rmSync(join(project, 'espalier.json'));
  for (let n = 0; n < 520; n += 1) write(`.agents/${String(n)}.md`, 'x');
  const many = await readDefinitions(project);
  expect(many.faults).toEqual(['There are more than 500 files with definitions.']);
  expect(many.files.size).toBe(501);
  rmSync(join(project, '.agents'), { recursive: true });
  write(`.agents/${'d/'.repeat(12)}x.md`, 'x');
  expect((await readDefinitions(project)).faults[0]).toContain('nested deeper than 8 folders');
  expect(await names()).toEqual([]);
});
