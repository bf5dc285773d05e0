import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { axeFindings } from './fixtures/axe.ts';
import { call, script, talk } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';
import { written } from './fixtures/written.ts';

test('A2: what was allowed in a project is listed, and after it was taken back the same command asks again', async ({
  app,
  model,
  start,
}) => {
  model.setScript(script(talk('Saw the branch', call('bash', { command: 'echo sawn' }), 'Sawn.')));
  const batch = { version: 1, title: 'Harvest', tasks: [{ goal: 'Saw the branch', label: 'Saw the branch' }] };
  await start(batch);
  await expect(app.tree.rowThat('Saw the branch', 'Asks permission')).toBeVisible();
  await app.tree.open('Saw the branch');
  await app.inspector.ask.getByRole('button', { name: /^Always in/ }).click();
  await expect(app.tree.rowThat('Saw the branch', 'Completed')).toBeVisible();
  await app.settings.open();
  const section = await app.settings.go('Permissions');
  await expect(section).toContainText('always in orchard');
  await section.getByRole('button', { name: /^Take back: bash/ }).click();
  await expect(section).toContainText('Nothing beyond single calls');
  await app.settings.close.click();
  await start({ ...batch, title: 'Harvest again' });
  await expect(app.tree.rowThat('Saw the branch', 'Asks permission')).toBeVisible();
});

test('A4: what a project brings is trusted as it is shown, and asked again when it has changed', async ({
  app,
  core,
  place,
}) => {
  const path = '.claude/agents/reviewer.md';
  // What it holds stays text (B31), with what is hidden in it written out.
  place.write(path, 'Read only. <img src=x onerror="window.was=1"> **never** \u202Eelif');
  await app.settings.open();
  const section = await app.settings.go('Projects and trust');
  await expect(section).toContainText('Read only. <img src=x onerror="window.was=1"> **never** ⟨U+202E⟩elif');
  const file = section.getByRole('button', { name: `Text of ${path}` });
  await file.click();
  await expect(section).not.toContainText('Read only.');
  await section.getByRole('button', { name: 'Trust these files of orchard' }).click();
  await expect(section.getByRole('button', { name: 'Stop trusting orchard' })).toBeVisible();
  place.write(path, 'Write everything.');
  await app.settings.go('About');
  await app.settings.go('Projects and trust');
  await expect(section).toContainText('changed since you trusted it');
  await expect(section).toContainText('Write everything.');
  await expect(app.sidebar.section('Projects')).toContainText('changed since you trusted it');
  await section.getByRole('button', { name: 'Trust these files of orchard' }).click();
  await section.getByRole('button', { name: 'Stop trusting orchard' }).click();
  await expect(section).toContainText('not trusted');
  await app.settings.close.click();

  // The same question from the sidebar; what changes while it is open is not what is trusted.
  const projects = app.sidebar.section('Projects');
  await projects.getByText('orchard').hover();
  await projects.getByRole('button', { name: 'Actions for orchard' }).click();
  await app.page.getByRole('menuitem', { name: 'Trust this project' }).click();
  const dialog = app.page.getByRole('dialog', { name: 'Trust what “orchard” brings?' });
  await expect(dialog).toContainText('Write everything.');
  expect.soft(await axeFindings(app.page), 'the question of trust').toEqual([]);
  place.write(path, 'Write nothing.');
  await core.client.projects.list();
  await expect(dialog).toContainText('It changed while you looked.');
  await expect(dialog.getByRole('button', { name: 'Trust these files' })).toBeHidden();
  await dialog.getByRole('button', { name: 'Look again' }).click();
  await expect(dialog).toContainText('Write nothing.');
  await dialog.getByRole('button', { name: 'Trust these files' }).click();
  await expect(dialog).toBeHidden();
  await expect(projects).not.toContainText('not trusted');
  expect(await app.page.evaluate(() => 'was' in window)).toBe(false);

  // The rest of that menu.
  const choose = async (item: string): Promise<void> => {
    await projects.getByText('orchard').hover();
    await projects.getByRole('button', { name: 'Actions for orchard' }).click();
    await app.page.getByRole('menuitem', { name: item }).click();
  };
  await choose('New conversation in orchard');
  await expect(app.composer.box).toBeFocused();
  await choose('Stop trusting this project');
  await projects.getByRole('button', { name: 'not trusted: look at what orchard brings' }).click();
  await expect(dialog).toContainText('Write nothing.');
  await app.page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await choose('Detach the project');
  await app.page.getByRole('dialog').getByRole('button', { name: 'Detach' }).click();
  await expect(projects).toContainText('No project yet');
});

test('A4: agents are made, changed, copied and deleted; conflicts, unknown keys and what is not trusted are told, and an outside one is checked', async ({
  app,
  place,
}) => {
  place.write('.claude/agents/reviewer.md', '---\ndescription: of the project\n---\nRead.\n');
  await app.settings.open();
  const section = await app.settings.go('Agents');
  const list = section.getByRole('list', { name: 'All agents' });
  await section.getByRole('button', { name: 'New agent' }).click();
  const editor = section.getByRole('form', { name: 'New agent' });
  await editor.getByLabel('Name', { exact: true }).fill('reviewer');
  await editor.getByLabel('Description').fill('Mine: reads');
  await editor.getByLabel('Tools', { exact: true }).fill('read, Fly');
  await editor.getByLabel('Instructions').fill('Read all of it.');
  const kept = editor.getByRole('combobox', { name: 'Kept for' });
  await kept.selectOption('project orchard');
  await expect(kept).not.toHaveValue('');
  // It is this choice that says where the file is written.
  await kept.selectOption('Every project');
  await expect(kept).toHaveValue('');
  await editor.getByRole('combobox', { name: 'Permission' }).selectOption('Plan, read only');
  await editor.getByRole('combobox', { name: 'Colour' }).selectOption('cyan');
  await expect(editor).toContainText('There is no tool "Fly" here');
  await editor.getByRole('radio', { name: 'Text' }).click();
  const text = editor.getByLabel('Text of the definition');
  await expect(text).toHaveValue(/permission: plan[^]*color: cyan[^]*Read all of it\./);
  await text.fill((await text.inputValue()).replace('color:', 'colr: red\ncolor:'));
  await editor.getByRole('radio', { name: 'Form' }).click();
  await expect(editor.getByRole('list', { name: 'Does nothing here' })).toContainText('"colr" is unknown here');
  for (const colorScheme of ['light', 'dark'] as const) {
    await app.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(app.page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    expect.soft(await axeFindings(app.page), colorScheme).toEqual([]);
  }
  await editor.getByRole('button', { name: 'Take out colr' }).click();
  await expect(editor.getByRole('list', { name: 'Does nothing here' })).toHaveCount(0);
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(editor).toBeHidden();
  const file = join(place.dataFolder, 'agents', 'reviewer.md');
  expect(readFileSync(file, 'utf8')).toBe(
    '---\nname: reviewer\ndescription: "Mine: reads"\ntools: [read, Fly]\npermission: plan\ncolor: cyan\n---\n\nRead all of it.\n',
  );
  const mine = list.getByRole('listitem', { name: 'reviewer', exact: true });
  await expect(mine).toContainText('Stands over: built in');

  await section.getByRole('combobox', { name: 'Agents of' }).selectOption('orchard');
  const unused = section.getByRole('list', { name: 'Files that do not count' });
  await expect(unused).toContainText('Not trusted');
  await unused.getByRole('button', { name: 'Look at it and trust' }).click();
  await app.settings.button('Trust these files of orchard').click();
  await app.settings.go('Agents');
  await section.getByRole('combobox', { name: 'Agents of' }).selectOption('orchard');
  await expect(mine).toContainText(`Stands over: ${file}, built in`);
  await expect(unused).toContainText('Another of its name comes before it.');

  await list.getByRole('button', { name: 'Edit agent reviewer' }).click();
  const change = section.getByRole('form', { name: 'Agent reviewer' });
  await change.getByRole('combobox', { name: 'Runner' }).selectOption('command');
  const command = change.getByRole('textbox', { name: 'Command' });
  await command.fill('true');
  await command.fill('');
  await change.getByLabel('Command', { exact: true }).fill('prune --all');
  await change.getByRole('combobox', { name: 'Runner' }).selectOption('builtin');
  await expect(change.getByLabel('Command', { exact: true })).toBeHidden();
  for (const [field, value] of [
    ['Model', 'scripted/scripted-model'],
    ['Not allowed tools', 'bash'],
    ['Skills', 'pruning'],
    ['MCP servers', 'shed'],
    ['Turns at most', '12'],
  ] as const) {
    const input = change.getByLabel(field, { exact: true });
    await input.fill(value);
    await input.press('Enter');
    await expect(change.getByRole('status')).not.toContainText('Looking at it…');
  }
  await change.getByRole('combobox', { name: 'Isolation' }).selectOption('In a worktree of their own');
  await change.getByRole('radio', { name: 'Text' }).click();
  const changed = change.getByLabel('Text of the definition');
  for (const line of [/model: scripted\/scripted-model/, /bash/, /pruning/, /shed/, /: 12\b/, /isolation: worktree/])
    await expect(changed).toHaveValue(line);
  await change.getByRole('button', { name: 'Cancel' }).click();
  await expect(change).toBeHidden();

  await section.getByRole('combobox', { name: 'Default agent' }).selectOption('explorer');
  await expect.poll(() => written(place.dataFolder, 'settings.json')).toMatchObject({ defaultAgent: 'explorer' });

  await mine.getByRole('button', { name: 'Duplicate agent reviewer' }).click();
  await expect(editor.getByLabel('Name', { exact: true })).toHaveValue('reviewer-2');
  await editor.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(list).toContainText('reviewer-2');
  await expect(mine).toContainText('project agent file');
  await list.getByRole('button', { name: 'Delete agent reviewer-2' }).click();
  await section.getByRole('button', { name: 'Yes, delete the file' }).click();
  await expect(list).not.toContainText('reviewer-2');
  await expect(mine).toContainText('project agent file');

  const gemini = list.getByRole('listitem', { name: 'gemini', exact: true });
  await gemini.getByRole('button', { name: 'Details of gemini' }).click();
  await gemini.getByRole('button', { name: 'Check agent gemini' }).click();
  await expect(gemini).toContainText(/no program gemini|Found|on the PATH/i);
  await gemini.getByRole('button', { name: 'Copy how to install gemini' }).click();
  await expect.poll(() => app.page.evaluate(() => navigator.clipboard.readText())).toContain('gemini');
});
