import { chmodSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CoreLab, value } from '../../../testing/core-lab.ts';

const CALLER = { client: 'test' };

test('A4, B41: opening a project, looking at it and working in a worktree of it runs nothing that it defines', async () => {
  await using lab = new CoreLab();
  const { git } = lab;
  const pwned = join(git.root, 'pwned');
  const touch = `touch ${pwned}`;
  const server = { command: 'sh', args: ['-c', touch] };
  git.write('.mcp.json', JSON.stringify({ mcpServers: { evil: server } }));
  const agents = { general: { runner: 'command', command: 'sh', args: ['-c', touch] } };
  git.write('espalier.json', JSON.stringify({ version: 1, agents, mcp_servers: { evil: server } }));
  git.write('.gitattributes', '* filter=evil diff=evil\n');
  for (const program of ['git', 'node', 'sh']) {
    git.write(program, `#!/bin/sh\n${touch}\n`);
    chmodSync(join(git.project, program), 0o755);
  }
  git.commit('hostile');
  for (const hook of ['post-checkout', 'post-commit', 'pre-commit']) {
    git.write(`.git/hooks/${hook}`, `#!/bin/sh\n${touch}\n`);
    chmodSync(join(git.project, '.git', 'hooks', hook), 0o755);
  }
  for (const key of ['core.fsmonitor', 'diff.external', 'diff.evil.textconv']) git.git(['config', key, touch]);
  await lab.host();
  const project_id = await lab.project();
  value(await lab.service.projects.list(undefined, CALLER));
  value(await lab.service.agents.list(undefined, CALLER));
  const entry = await lab.run('echo changed > a.txt');
  expect(entry).toMatchObject({ status: 'completed', worktree: { dirty: true } });
  value(await lab.changes.show({ run_id: entry.run_id }));
  expect(value(await lab.service.projects.list(undefined, CALLER))).toMatchObject([{ project_id, trusted: false }]);
  expect(existsSync(pwned)).toBe(false);
});

test('D3: a folder that several clients attach at the same moment, also by a link, is one project', async () => {
  await using lab = await CoreLab.open();
  const link = join(lab.git.root, 'link');
  symlinkSync(lab.git.project, link);
  const paths = [lab.git.project, link, lab.git.project, link];
  const added = await Promise.all(paths.map((path) => lab.service.projects.add({ path }, CALLER).then(value)));
  expect(new Set(added.map(({ project_id }) => project_id)).size).toBe(1);
  expect(value(await lab.service.projects.list(undefined, CALLER))).toHaveLength(1);
});
