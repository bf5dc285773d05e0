import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { value } from '../../testing/core-lab.ts';
import { ModelLab } from '../../testing/model-lab.ts';

const call = (name: string, args: Record<string, unknown>) => ({ tool_call: { name, arguments: args } });

async function changedFiles(): Promise<ModelLab & { run_id: string }> {
  const lab = await ModelLab.open([
    {
      turns: [
        call('write', { path: 'new.txt', content: 'made\n' }),
        call('read', { path: 'src/old.bin' }),
        call('edit', { path: 'src/old.bin', old_string: 'one', new_string: 'ONE' }),
        call('edit', { path: 'src/old.bin', old_string: 'two', new_string: 'TWO' }),
        'Changed both.',
      ],
    },
  ]);
  mkdirSync(join(lab.lab.git.project, 'src'));
  writeFileSync(join(lab.lab.git.project, 'src/old.bin'), 'one\r\ntwo without end');
  const answer = await lab.dispatch(['Change both of the files']);
  const result = await lab.lab.result(answer);
  expect(result).toMatchObject({ status: 'completed', files_written: ['new.txt', 'src/old.bin'] });
  return Object.assign(lab, { run_id: result.run_id });
}

test('undo puts each file back, byte for byte: an edited one to before the first edit, a new one is gone', async () => {
  await using lab = await changedFiles();
  const { run_id } = lab;
  const { project } = lab.lab.git;
  expect(readFileSync(join(project, 'src/old.bin'), 'utf8')).toBe('ONE\r\nTWO without end');
  value(await lab.lab.changes.undo({ run_id, path: 'src/old.bin' }));
  expect(readFileSync(join(project, 'src/old.bin'), 'utf8')).toBe('one\r\ntwo without end');
  value(await lab.lab.changes.undo({ run_id, path: 'new.txt' }));
  expect(existsSync(join(project, 'new.txt'))).toBe(false);
  const again = await lab.lab.changes.undo({ run_id, path: 'src/old.bin' });
  expect(again).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('has changed since') as string },
  });
});

test('undo is refused when the file has changed since, for a file it never wrote, and outside the project', async () => {
  await using lab = await changedFiles();
  const { run_id } = lab;
  const file = join(lab.lab.git.project, 'new.txt');
  appendFileSync(file, 'by a person\n');
  for (const path of ['new.txt', 'other.txt', '../project/new.txt', '/etc/passwd']) {
    const refused = await lab.lab.changes.undo({ run_id, path });
    expect(refused).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
    expect(JSON.stringify(refused)).toContain('Nothing was changed');
  }
  expect(readFileSync(file, 'utf8')).toBe('made\nby a person\n');
});

test('the prompt of a run is what its first request had: system, goal, tools', async () => {
  await using lab = await ModelLab.open([{ turns: [call('ls', {}), 'Nothing to do.'] }]);
  const answer = await lab.dispatch([{ goal: 'Look whether there is something', context: 'Only look.' }]);
  const { run_id } = await lab.lab.result(answer);
  const { prompts } = value(await lab.runs.prompt({ run_id }));
  expect(prompts).toHaveLength(1);
  const [prompt] = prompts;
  expect(prompt).toMatchObject({
    model: 'scripted/scripted-model',
    cut: false,
    messages: [{ role: 'user', text: 'Look whether there is something' }],
  });
  expect(prompt?.system).toContain('Only look.');
  const body = lab.model.requests[0]?.body as { system: unknown; tools: { name: string }[] };
  expect(prompt?.tools.map(({ name }) => name)).toEqual(body.tools.map(({ name }) => name));
  expect(JSON.stringify(body.system)).toContain(JSON.stringify(prompt?.system).slice(1, 200));
});
