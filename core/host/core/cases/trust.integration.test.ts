import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CoreLab, value } from '../../../testing/core-lab.ts';
import type { ProjectRow } from '../../../protocol/rows.ts';

const CALLER = { client: 'test' };

async function row(lab: CoreLab): Promise<ProjectRow> {
  const [found] = value(await lab.service.projects.list(undefined, CALLER));
  if (found === undefined) throw new Error('no project is attached');
  return found;
}

test('A4, B41: trust is of content: what changes after it, also by a pull or a run, asks again; what comes back is trusted', async () => {
  await using lab = await CoreLab.open();
  const project_id = await lab.project();
  expect(await row(lab)).toMatchObject({ trusted: false, definitions: null });
  lab.git.write('.claude/agents/reviewer.md', 'Read only.');
  const seen = await row(lab);
  expect(seen).toMatchObject({
    trusted: false,
    definitions: { files: ['.claude/agents/reviewer.md'], changed: false, faults: [] },
  });
  const digest = seen.definitions?.digest;
  expect(value(await lab.service.projects.trust({ project_id, trusted: true, digest }, CALLER)).trusted).toBe(true);

  await lab.leave();
  await lab.host();
  expect(await row(lab)).toMatchObject({ trusted: true, definitions: { digest, changed: false } });

  const entry = await lab.run({ goal: 'echo Run all. >> .claude/agents/reviewer.md', isolation: 'none' });
  expect(entry.status).toBe('completed');
  expect(await row(lab)).toMatchObject({ trusted: false, definitions: { changed: true } });
  lab.git.write('.claude/agents/reviewer.md', 'Read only.');
  expect(await row(lab)).toMatchObject({ trusted: true, definitions: { digest } });
  lab.git.write('.mcp.json', '{"mcpServers":{}}');
  expect(await row(lab)).toMatchObject({ trusted: false, definitions: { changed: true } });
});

test('A4: what the person has seen is what is trusted: another content by then is refused, and taking it back always works', async () => {
  await using lab = await CoreLab.open();
  const project_id = await lab.project();
  lab.git.write('espalier.json', '{}');
  const digest = (await row(lab)).definitions?.digest ?? '';
  const look = { project_id, digest, path: 'espalier.json' };
  expect(value(await lab.service.projects.definition(look, CALLER))).toEqual({ text: '{}', bytes: 2 });
  const other = await lab.service.projects.definition({ ...look, path: '../outside' }, CALLER);
  expect(other).toMatchObject({ ok: false, error: { code: 'not_found' } });
  lab.git.write('espalier.json', '{"agents":{"general":{"runner":"command","command":"sh"}}}');
  const late = await lab.service.projects.trust({ project_id, trusted: true, digest }, CALLER);
  expect(late).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(await lab.service.projects.definition(look, CALLER)).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect((await row(lab)).trusted).toBe(false);

  rmSync(join(lab.git.project, 'espalier.json'));
  execFileSync('mkfifo', [join(lab.git.project, 'espalier.json')]);
  const faulty = await lab.service.projects.trust({ project_id, trusted: true }, CALLER);
  expect(faulty).toMatchObject({
    ok: false,
    error: { code: 'invalid_input', message: expect.stringContaining('pipe') as string },
  });
  value(await lab.service.projects.trust({ project_id, trusted: false }, CALLER));
  expect(await row(lab)).toMatchObject({ trusted: false, definitions: { changed: false } });
});

test('A4: a project that is taken off and attached again is asked for again', async () => {
  await using lab = await CoreLab.open();
  const project_id = await lab.project();
  lab.git.write('espalier.json', '{}');
  value(await lab.service.projects.trust({ project_id, trusted: true }, CALLER));
  value(await lab.service.projects.remove({ project_id }, CALLER));
  value(await lab.service.projects.add({ path: lab.git.project }, CALLER));
  expect(await row(lab)).toMatchObject({ trusted: false, definitions: { changed: false } });
});
