import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AgentListed } from '../../protocol/agents.ts';
import { CoreLab, value } from '../../testing/core-lab.ts';
import { userAgents } from '../../workspace/agents/load-agents.ts';

const CALLER = { client: 'test' };

const definition = (description: string, more = ''): string =>
  `---\ndescription: ${description}\n${more}---\n\nWork.\n`;

function own(lab: CoreLab, name: string, text: string): string {
  const folder = join(lab.git.data, 'agents');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.md`), text);
  return join(folder, `${name}.md`);
}

async function agent(lab: CoreLab, id: string, project_id: string | null): Promise<AgentListed | undefined> {
  const agents = value(await lab.service.agents.list({ project_id }, CALLER));
  return agents.find((other) => other.id === id);
}

async function trust(lab: CoreLab, project_id: string): Promise<void> {
  value(await lab.service.projects.trust({ project_id, trusted: true }, CALLER));
}

async function isTrusted(lab: CoreLab): Promise<boolean | undefined> {
  return value(await lab.service.projects.list(undefined, CALLER))[0]?.trusted;
}

test('A4: a project’s agents come before the user’s, these before settings and built-in ones, but only while exactly their content is trusted', async () => {
  await using lab = await CoreLab.open();
  const project_id = await lab.project();
  expect(await agent(lab, 'reviewer', project_id)).toMatchObject({ source: 'builtin', conflicts: [] });
  const settings = { runner: 'builtin', description: 'of settings' };
  value(await lab.service.settings.set({ key: 'agents.reviewer', value: settings }, CALLER));
  expect(await agent(lab, 'reviewer', project_id)).toMatchObject({ source: 'settings' });
  const path = own(lab, 'reviewer', definition('of the user'));
  lab.git.write('.claude/agents/reviewer.md', definition('of the project'));
  expect(await agent(lab, 'reviewer', project_id)).toMatchObject({ source: 'user', path, description: 'of the user' });
  const files = value(await lab.service.agents.files({ project_id }, CALLER));
  expect(files.map(({ state, id }) => [state, id])).toEqual([
    ['untrusted', 'reviewer'],
    ['used', 'reviewer'],
  ]);

  await trust(lab, project_id);
  expect(await agent(lab, 'reviewer', project_id)).toMatchObject({
    source: 'project',
    description: 'of the project',
    path: join(lab.git.project, '.claude/agents/reviewer.md'),
    conflicts: [
      { source: 'user', path },
      { source: 'settings', path: null },
      { source: 'builtin', path: null },
    ],
  });
  expect(await agent(lab, 'reviewer', null)).toMatchObject({ source: 'user' });
  lab.git.write('.claude/agents/reviewer.md', definition('of a pull'));
  expect(await agent(lab, 'reviewer', project_id)).toMatchObject({ source: 'user' });
});

test('S3: a batch may name an agent of a trusted project, and it runs; untrusted it is unknown', async () => {
  await using lab = await CoreLab.open();
  const project_id = await lab.project();
  lab.git.write(
    '.agents/agents/echoer.md',
    definition('Says it', 'runner: command\ncommand: /bin/echo\nargs: ["{goal}"]\n'),
  );
  const batch = { tasks: [{ goal: 'hello', agent: 'echoer' }] };
  const refused = value(await lab.service.batches.validate({ project_id, batch }, CALLER));
  expect(refused.problems).toEqual([expect.objectContaining({ message: expect.stringContaining('echoer') as string })]);
  await trust(lab, project_id);
  expect(await lab.run({ goal: 'hello', agent: 'echoer' })).toMatchObject({ status: 'completed', summary: 'hello' });
});

test('A1: an agent of a project gets at most the permission of the settings', async () => {
  await using lab = await CoreLab.open();
  const project_id = await lab.project();
  lab.git.write('.espalier/agents/bold.md', definition('Does all', 'permissionMode: bypassPermissions\n'));
  await trust(lab, project_id);
  const found = await agent(lab, 'bold', project_id);
  expect(found).toMatchObject({ permission: 'ask', warnings: [expect.stringContaining('at most')] });
});

test('an edit is refused when the file changed meanwhile; a person’s own edit keeps the project trusted, nothing else does', async () => {
  await using lab = await CoreLab.open();
  const project_id = await lab.project();
  const { service } = lab;
  const made = value(
    await service.agents.save({ project_id, path: 'scout', text: definition('Looks'), digest: null }, CALLER),
  );
  expect(made).toMatchObject({ state: 'used', id: 'scout', path: join(lab.git.project, '.espalier/agents/scout.md') });
  expect(await isTrusted(lab)).toBe(true);
  const read = value(await service.agents.read({ project_id, path: made.path }, CALLER));
  expect(read).toMatchObject({ text: definition('Looks'), digest: made.digest });

  lab.git.write('.espalier/agents/scout.md', definition('Looks elsewhere'));
  const late = await service.agents.save({ ...read, project_id, text: definition('Looks twice') }, CALLER);
  expect(late).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(readFileSync(made.path, 'utf8')).toBe(definition('Looks elsewhere'));
  const again = await service.agents.save({ project_id, path: 'scout', text: definition('New'), digest: null }, CALLER);
  expect(again).toMatchObject({ ok: false, error: { code: 'conflict' } });
  const { digest } = value(await service.agents.read({ project_id, path: made.path }, CALLER));
  value(await service.agents.save({ project_id, path: made.path, text: definition('Mine'), digest }, CALLER));
  // What was not trusted before is not trusted by an edit.
  expect(await isTrusted(lab)).toBe(false);
});

test('A3: only files in the folders of definitions are read and written, and only definitions are saved', async () => {
  await using lab = await CoreLab.open();
  const project_id = await lab.project();
  const { service } = lab;
  lab.git.write('.espalier/agents/notes.md', 'no definition');
  const bad = { project_id, path: join(lab.git.project, 'README.md') };
  expect(await service.agents.read(bad, CALLER)).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
  const up = {
    project_id,
    path: join(lab.git.project, '.espalier/agents/../../x.md'),
    text: definition('d'),
    digest: null,
  };
  expect(await service.agents.save(up, CALLER)).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
  const none = await service.agents.save({ project_id: null, path: 'x', text: 'Just words.', digest: null }, CALLER);
  expect(none).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  const saved = value(
    await service.agents.save({ project_id: null, path: 'x', text: definition('d'), digest: null }, CALLER),
  );
  expect(saved).toMatchObject({ source: 'user', state: 'used', path: join(lab.git.data, 'agents/x.md') });
  value(await service.agents.remove({ project_id: null, path: saved.path, digest: saved.digest }, CALLER));
  expect(await agent(lab, 'x', null)).toBeUndefined();
});

test('definitions in the user’s folder are bounded: 256 KiB each, 200 files, and no device or pipe', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agents-'));
  const agent = (name: string, more = ''): void =>
    writeFileSync(join(folder, `${name}.md`), `---\nname: ${name}\ndescription: Looks\n---\nLook.${more}`);
  agent('a-large', 'x'.repeat(256 * 1024));
  symlinkSync('/dev/zero', join(folder, 'a-zero.md'));
  for (let n = 100; n < 320; n += 1) agent(`b${n}`);
  const loaded = await userAgents([folder], []);
  expect(loaded).toHaveLength(200);
  const faults = loaded.flatMap(({ parsed }) => (parsed.ok ? [] : [parsed.error]));
  expect(faults).toEqual(['It is larger than 256 KiB.', expect.any(String) as string]);
  rmSync(folder, { recursive: true });
});
