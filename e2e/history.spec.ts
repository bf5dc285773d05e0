import { axeFindings } from './fixtures/axe.ts';
import { script, talk } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';
import type { App } from './pages/app.ts';

const BATCH = {
  version: 1,
  title: 'Harvest day',
  tasks: [
    { id: 'pick', goal: 'echo picked', label: 'Pick the apples', agent: 'command' },
    { id: 'press', goal: 'echo pressing; exit 3', label: 'Press the cider', agent: 'command' },
    { goal: 'echo sold', label: 'Sell it', agent: 'command', depends_on: ['pick'] },
  ],
};

async function expectNothingFound(app: App, screen: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await app.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(app.page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    expect.soft(await axeFindings(app.page), `${screen}, ${colorScheme}`).toEqual([]);
  }
}

test('a set runs again from its card, whole or only what failed, as a new set of the same conversation', async ({
  app,
  start,
  core,
}) => {
  const first = await start(BATCH);
  await expect(app.tree.set(1)).toContainText('3 of 3 ended');

  await app.history.choose(app.tree.set(1), 1, 'Run only what failed again…');
  await expect(app.batch.goals).toHaveCount(1);
  await expect(app.batch.goal(1)).toHaveValue('echo pressing; exit 3');
  await expect(app.batch.root).toContainText('1 task from set 1');
  await app.batch.goal(1).fill('echo pressed');
  await app.batch.run(2).click();
  await expect(app.tree.set(2)).toContainText('1 of 1 ended');

  await app.history.choose(app.tree.set(1), 1, 'Run again…');
  await expect(app.batch.goals).toHaveCount(3);
  await expect(app.batch.title).toHaveValue('Harvest day');
  await app.batch.run(3).click();
  await expect(app.tree.set(3)).toContainText('3 of 3 ended');
  const [conversation, ...others] = await core.client.conversations.list({ all: true });
  expect(others).toEqual([]);
  expect(conversation?.conversation_id).toBe(first.conversation_id);
});

test('a set is kept as a template, used in the editor, renamed, replaced and deleted', async ({ app, start, core }) => {
  await start(BATCH);
  await expect(app.tree.set(1)).toContainText('3 of 3 ended');
  await app.history.choose(app.tree.set(1), 1, 'Save as template…');
  const name = app.history.save.getByRole('textbox', { name: 'Name of the template' });
  await expect(name).toHaveValue('Harvest day');
  await expect(app.history.save).toContainText('3 tasks, with agents, limits and order');
  await expectNothingFound(app, 'save as template');
  await name.fill('a/b');
  await expect(app.history.save.getByRole('button', { name: 'Save' })).toBeDisabled();
  await name.fill('Harvest “2026” 🍎');
  await name.press('Enter');
  await expect(app.history.save).toBeHidden();

  await app.history.choose(app.tree.set(1), 1, 'Save as template…');
  await name.fill('Harvest “2026” 🍎');
  await name.press('Enter');
  await expect(app.history.save).toContainText('There is a template');
  await app.history.save.getByRole('button', { name: 'Replace it' }).click();
  await expect(app.history.save).toBeHidden();

  await app.history.openTemplates();
  await expect(app.history.template('Harvest “2026” 🍎')).toContainText('3 tasks');
  await expectNothingFound(app, 'templates');
  await app.history.act('Harvest “2026” 🍎', 'Rename');
  const next = app.history.templates.getByRole('textbox');
  await next.fill('Every autumn');
  await next.press('Enter');
  await expect(app.history.template('Every autumn')).toBeVisible();
  expect((await core.client.templates.list()).map((row) => row.name)).toEqual(['Every autumn']);
  await app.history.templates.getByRole('button', { name: 'Use Every autumn' }).click();
  await expect(app.batch.goals).toHaveCount(3);
  await expect(app.batch.root).toContainText('3 tasks from Every autumn');

  // In the open editor another use adds to what is there, and the batch can be kept too.
  await app.batch.root.getByRole('button', { name: 'Templates' }).click();
  await app.page.getByRole('menuitem', { name: 'Templates…' }).click();
  await app.history.templates.getByRole('button', { name: 'Use Every autumn' }).click();
  await expect(app.batch.goals).toHaveCount(6);
  await app.batch.root.getByRole('button', { name: 'Templates' }).click();
  await app.page.getByRole('menuitem', { name: 'Save as template…' }).click();
  await name.fill('Twice');
  await name.press('Enter');
  await expect(app.history.save).toBeHidden();
  await app.page.keyboard.press('Escape');

  await app.history.openTemplates();
  await app.history.act('Every autumn', 'Delete');
  const sure = app.history.templates.getByRole('alertdialog');
  await expect(sure).toContainText('Delete the template “Every autumn”?');
  await sure.getByRole('button', { name: 'Delete' }).click();
  await expect(app.history.template('Every autumn')).toHaveCount(0);
  await expect(app.history.template('Twice')).toContainText('6 tasks');
});

test('another agent reviews a set in the same conversation, with its diff and answers, and changes nothing; then the work is applied, kept and discarded', async ({
  app,
  model,
  place,
  start,
}) => {
  model.setScript(
    script(talk('Review the work of set 1', 'Verdict: accept.'), talk('Review the work of one run', 'Fine.')),
  );
  await start({
    version: 1,
    title: 'Paint the gate',
    tasks: [{ goal: 'echo green > gate.txt; echo painted', label: 'Gate', agent: 'command', isolation: 'worktree' }],
  });
  await expect(app.tree.set(1)).toContainText('1 of 1 ended');
  await app.history.choose(app.tree.set(1), 1, 'Review by another agent…');
  await expect(app.history.review).toContainText('Review of set 1');
  await expectNothingFound(app, 'review');
  await app.history.review.getByRole('combobox', { name: 'Reviewing agent' }).selectOption('explorer');
  await app.history.review.getByRole('combobox', { name: 'Model' }).selectOption('scripted/scripted-model');
  await expect(app.history.review.getByRole('combobox', { name: 'Model' })).toHaveValue('scripted/scripted-model');
  await app.history.review.getByRole('textbox', { name: 'What to look at in particular' }).fill('the shade of green');
  await app.page.keyboard.press('ControlOrMeta+Enter');
  await expect(app.history.review).toBeHidden();
  await expect(app.tree.set(2)).toContainText('1 of 1 ended');
  const sent = JSON.stringify(model.requests.at(-1)?.body);
  for (const part of ['the shade of green', 'echo green > gate.txt', '+green', 'painted']) expect(sent).toContain(part);

  await app.tree.open('Gate');
  await app.inspector.root.getByRole('button', { name: 'More actions', exact: true }).click();
  await app.page.getByRole('menuitem', { name: 'Review by another agent…' }).click();
  await expect(app.history.review).toContainText('Review of Gate');
  await app.history.review.getByRole('button', { name: 'Start the review' }).click();
  await expect(app.tree.set(3)).toContainText('1 of 1 ended');
  expect(place.read('gate.txt')).toBeNull();

  await app.tree.row('Gate').first().click();
  await expect(app.inspector.title).toHaveText('Gate');
  await app.inspector.show('Changes');
  const bar = app.inspector.panel.locator('.change-bar');
  for (const [button, mode, said] of [
    ['Apply', 'Merge', 'In the project: '],
    ['Apply again', 'Squash into one commit', 'The project has all of this work already.'],
    ['Apply again', 'Cherry-pick its commits', 'The project has all of this work already.'],
  ] as const) {
    await bar.getByRole('button', { name: button, exact: true }).click();
    await app.page.getByRole('menuitem', { name: mode }).click();
    await expect(bar).toContainText(said);
    expect(place.read('gate.txt')).toBe('green\n');
  }
  await bar.getByRole('button', { name: 'Keep as branch' }).click();
  await expect(bar).toContainText('The folder is gone.');
  await bar.getByRole('button', { name: 'Discard…' }).click();
  await app.page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await expect(bar).toContainText('Discarded. For 30 days');
});

test('hostile names of sets and templates stay text (B31)', async ({ app, start }) => {
  const hostile = `<img src=x onerror="document.title='XSS'">`;
  await start({ ...BATCH, title: hostile });
  await expect(app.tree.set(1)).toContainText('3 of 3 ended');
  await app.history.choose(app.tree.set(1), 1, 'Save as template…');
  await app.history.save
    .getByRole('textbox', { name: 'Name of the template' })
    .fill(`img src=x onerror=alert(1) \u202Etxt`);
  await app.page.keyboard.press('Enter');
  await expect(app.history.save).toBeHidden();
  await app.history.openTemplates();
  await expect(app.history.templates).toContainText('⟨U+202E⟩txt');
  await expect(app.history.templates).toContainText(hostile);
  await expect(app.page).toHaveTitle(/Espalier/);
});
