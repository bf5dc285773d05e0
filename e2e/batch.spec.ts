import { axeFindings } from './fixtures/axe.ts';
import { call, held, script, talk } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';

const LIST = `# Look after the orchard

- Count the apple trees and say how many there are
- [x] Water the pears
- Write the price list for the market
`;

test('a pasted list becomes tasks, runs as set 1, and its rows live until they end', async ({ app, model }) => {
  model.setScript(
    script(
      held('Count the apple trees', 'count', 'There are twelve apple trees.'),
      talk(
        'Write the price list',
        [call('write', { path: 'prices.md', content: 'Apples: 2\n' })],
        'The list is written.',
      ),
    ),
  );
  await app.paste(LIST);
  await expect(app.batch.root).toBeVisible();
  await expect(app.batch.title).toHaveValue('Look after the orchard');
  await expect(app.batch.goals).toHaveCount(2);
  await expect(app.batch.root).toContainText('1 ticked item skipped');
  await app.batch.root.getByRole('combobox', { name: 'Permission' }).selectOption('auto');

  await app.batch.run(1).click();
  await expect(app.batch.root).toBeHidden();
  await expect(app.heading).toHaveText(/Look after the orchard/);
  await expect(app.tree.rowThat('Write the price list', 'Completed')).toContainText('The list is written.');
  await expect(app.tree.rowThat('Count the apple trees', 'Running')).toBeVisible();
  await expect(app.tree.set(1)).toContainText('1 of 2 ended');
  await expect(app.sidebar.entry('Working', 'Look after the orchard')).toContainText('1/2');

  model.release('count');
  await expect(app.tree.rowThat('Count the apple trees', 'Completed')).toContainText('There are twelve apple trees.');
  await expect(app.tree.set(1)).toContainText('2 of 2 ended');
  const entry = app.sidebar.entry('Recent', 'Look after the orchard');
  await expect(entry).toBeVisible();
  await app.page.getByRole('button', { name: 'New', exact: true }).click();
  await expect(app.tree.set(1)).toBeHidden();
  await entry.click();
  await expect(app.tree.set(1)).toContainText('2 of 2 ended');
});

test('a dropped file with an odd name is marked where it is wrong, and one press mends it (case 7)', async ({
  app,
  place,
  model,
}) => {
  const name = 'Übersicht “Q3” #2 & mehr 🍎.json';
  const tasks = [
    { goal: 'Look at the apple file and describe it', agent: 'explorr' },
    { goal: 'Look at the readme and describe it', agent: 'explorer' },
  ];
  await app.drop({ paths: [place.fileToDrop(name, JSON.stringify({ version: 1, title: 'Looking', tasks }))] });
  await expect(app.batch.root).toContainText(name);
  await expect(app.batch.row(1)).toContainText('explorr');
  await expect(app.batch.row(2).getByRole('listitem')).toHaveCount(0);
  await expect(app.batch.root).toContainText('Fix task 1 first, nothing has started');
  expect(model.requests).toHaveLength(0);

  await app.batch.row(1).getByRole('button', { name: 'Choose agent' }).click();
  await expect(app.batch.agent(1)).toBeFocused();
  await app.batch.row(1).getByRole('button', { name: 'Use explorer' }).click();
  await expect(app.batch.root).toContainText('Ready to run');
  await app.batch.run(1).click();
  await expect(app.tree.set(1)).toContainText('2 of 2 ended');
  expect(model.requests.length).toBeGreaterThanOrEqual(2);
});

test('a goal that is only a placeholder stops the whole batch (case 1)', async ({ app, model, core }) => {
  await app.paste('- Prune the old pear tree by the gate\n- TODO\n');
  await expect(app.batch.root).toContainText('Fix task 2 first, nothing has started');
  await app.batch.goal(1).press('ControlOrMeta+Enter');
  await expect(app.batch.goal(2)).toBeFocused();
  await app.batch.goal(1).focus();
  await app.batch.button('Show task 2').click();
  await expect(app.batch.goal(2)).toBeFocused();
  expect(model.requests).toHaveLength(0);
  expect(await core.client.conversations.list({ all: true })).toEqual([]);

  await app.batch.goal(2).fill('Rake the leaves under the plum');
  await expect(app.batch.root).toContainText('Ready to run');
});

test('a file that is no text says so and changes nothing (case 8)', async ({ app, place }) => {
  const path = place.fileToDrop('photo.json', 'PNG\u0000\u0001\u0002 not a text');
  await app.drop({ paths: [path] });
  const told = app.toast('photo.json was not added');
  await expect(told).toBeVisible();
  await expect(app.batch.root).toBeHidden();
  await app.page.getByRole('button', { name: 'Copy details' }).click();
  await expect.poll(() => app.page.evaluate(() => navigator.clipboard.readText())).toContain('not a text');
  await app.page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(told).toHaveCount(0);
});

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('several files with odd names become tasks at once; rows move by the keyboard, split, merge, double; images go along with one; all of it survives a reload', async ({
  app,
  model,
}) => {
  model.setScript(
    script(talk('Paint the fence', 'Painted.'), talk('Mend the gate', 'Mended.'), talk('Sweep the yard', 'Swept.')),
  );
  await app.batch.dropFiles([
    { name: `first “one” & 'two' 🍎.md`, text: '- Paint the fence\n- Mend the gate of the yard' },
    { name: 'line\nbreak "quoted".txt', text: 'Sweep the yard; and rake it' },
    { name: `${'x'.repeat(296)}.csv`, text: 'goal,label\nCount the bees in the hive,bees\n' },
  ]);
  await expect(app.batch.goals).toHaveCount(4);
  await app.batch.goal(4).focus();
  await app.page.keyboard.press('Alt+ArrowUp');
  await app.page.keyboard.press('Alt+ArrowUp');
  await app.page.keyboard.press('Alt+ArrowUp');
  await expect(app.batch.goal(1)).toHaveValue('Count the bees in the hive');
  await app.batch.text('Label', 1).fill('Hive');
  await expect(app.batch.text('Label', 1)).toHaveValue('Hive');
  await app.batch.choose(1, 'Duplicate');
  await expect(app.batch.goals).toHaveCount(5);
  await app.batch.choose(1, 'Merge with next');
  await expect(app.batch.goals).toHaveCount(4);
  await app.batch.choose(1, 'Split into lines');
  await expect(app.batch.goals).toHaveCount(5);
  await app.batch.choose(2, 'Remove');
  await app.batch.choose(1, 'Add a task below');
  await expect(app.batch.goals).toHaveCount(5);
  await expect(app.batch.goal(2)).toHaveValue('');
  await app.batch.choose(2, 'Remove');
  await app.batch.choose(1, 'Remove');
  await expect(app.batch.goal(1)).toHaveValue('Paint the fence');

  await app.batch.pasteImage(1, 'shot “1” 🍐.png', PNG);
  const attached = app.batch.attachments(1);
  await expect(attached.getByRole('listitem')).toHaveCount(1);
  await app.batch.pasteImage(1, 'second.png', PNG);
  await expect(attached.getByRole('listitem')).toHaveCount(2);
  await app.batch.pasteImage(2, 'fake.png', Buffer.from('<svg onload="alert(1)">').toString('base64'));
  await expect(app.toast('fake.png was not attached')).toBeVisible();
  await attached.getByRole('button', { name: /^Leave out .*second/ }).click();
  const choosing = app.page.waitForEvent('filechooser');
  await app.batch.choose(1, 'Attach images…');
  const third = { name: 'third.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') };
  await (await choosing).setFiles(third);
  await expect(attached.getByRole('listitem')).toHaveCount(2);
  await attached.getByRole('button', { name: /^Leave out .*third/ }).click();
  await expect(attached.getByRole('listitem')).toHaveCount(1);
  for (const colorScheme of ['light', 'dark'] as const) {
    await app.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(app.page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    expect.soft(await axeFindings(app.page), colorScheme).toEqual([]);
  }
  await app.reload();
  await app.page.keyboard.press('ControlOrMeta+Shift+b');
  await expect(attached.getByRole('listitem')).toHaveCount(1);
  await app.batch.root.getByRole('button', { name: 'Use worktrees' }).click();
  await expect(app.batch.root.getByRole('button', { name: 'Use worktrees' })).toBeHidden();
  await app.batch.run(1).click();
  await expect(app.tree.rowThat('Paint the fence', 'Completed')).toBeVisible();
  const asked = model.requests.find(({ body }) => JSON.stringify(body).includes('Paint the fence'));
  expect(JSON.stringify(asked?.body)).toContain(PNG);
});

/** Choices for all tasks of a batch, each with one that is not the first. */
const FOR_ALL = [
  ['Agent', 'explorer'],
  ['Model', 'scripted/other-model'],
  ['Isolation', 'none'],
  ['On first failure', 'stop'],
] as const;

test('a draft of a batch, with all that was said of its tasks, is there again after a reload, and runs as it says', async ({
  app,
  core,
  model,
}) => {
  await core.offerModels('scripted-model', 'other-model');
  await app.reload();
  await app.drop({ text: 'Mend the ladder in the shed\nSharpen both of the saws' });
  await expect(app.batch.goals).toHaveCount(2);
  await app.batch.goal(2).fill('Sharpen all of the saws');
  await app.batch.button('Title of the batch').click();
  await expect(app.batch.title).toBeFocused();
  await app.batch.title.fill('Repairs');

  await app.batch.button('Add task').click();
  await expect(app.batch.goal(3)).toBeFocused();
  await app.page.keyboard.type('Oil the hinges of the door');
  await app.batch.button('Move task 3').focus();
  await app.page.keyboard.press('Alt+ArrowUp');
  await expect(app.batch.goal(2)).toHaveValue('Oil the hinges of the door');
  await app.batch.text('Context', 3).fill('They hang in the shed.');
  await app.batch.agent(1).selectOption('explorer');
  await app.batch.choice('Model', 1).selectOption('scripted/scripted-model');
  await app.batch.choice('Isolation', 1).selectOption('worktree');
  await app.batch.button(/^Limits of task 1: /).click();
  const limits = app.page.getByRole('dialog');
  for (const [limit, value] of [
    ['Money, USD', '3'],
    ['Turns', '7'],
    ['Time, minutes', '5'],
  ] as const)
    await limits.getByRole('textbox', { name: limit }).fill(value);
  await limits.getByRole('button', { name: 'Done' }).click();
  await expect(limits).toBeHidden();
  await app.batch.text('Context', 1).fill('It leans at the wall.');
  const third = (of: RegExp) => expect(app.batch.button(of)).toBeVisible();
  for (const [field, seen] of [
    ['Agent', () => expect(app.batch.agent(3)).toHaveValue('explorer')],
    ['Model', () => expect(app.batch.choice('Model', 3)).toHaveValue('scripted/scripted-model')],
    ['Limits', () => third(/^Limits of task 3: \$3\.00 · 7 turns · 5m/)],
    ['Context', () => expect(app.batch.text('Context', 3)).toHaveValue('It leans at the wall.')],
    ['Isolation', () => expect(app.batch.choice('Isolation', 3)).toHaveValue('worktree')],
  ] as const) {
    await app.batch.goal(1).click();
    await app.batch.button('Apply to all').click();
    await app.page.getByRole('menuitem', { name: `${field} of task 1: ` }).click();
    await seen();
    if (field === 'Isolation') continue;
    await app.batch.button(`Undo: ${field.toLowerCase()} applied to all`).click();
    await expect(app.batch.text('Context', 3)).toHaveValue('They hang in the shed.');
  }
  await app.batch.button(/^Task 2 runs after: /).click();
  const after = app.page.getByRole('dialog');
  await after.getByRole('textbox', { name: 'Numbers of the tasks before it' }).fill('1');
  await after.getByRole('checkbox', { name: 'Whatever came of them' }).check();
  await after.getByRole('button', { name: 'Done' }).click();
  await expect(app.batch.button('Task 2 runs after: 1 ended')).toBeVisible();
  await expect(app.batch.root.getByRole('img', { name: 'Order of work: 2 after 1' })).toBeVisible();
  await app.batch.goal(1).click();
  await app.batch.button('Best of n').click();
  await app.page.getByRole('combobox', { name: 'By', exact: true }).selectOption('each');
  await app.page.getByRole('textbox', { name: 'Tries' }).fill('2');
  await app.page.getByRole('button', { name: 'Make the tries' }).click();
  await expect(app.batch.goals).toHaveCount(4);
  await expect(app.batch.agent(1)).toHaveValue('explorer');
  await expect(app.batch.agent(2)).not.toHaveValue(/^(?:explorer)?$/);
  await app.batch.button('Undo: tries of task 1 made').click();
  await expect(app.batch.goals).toHaveCount(3);
  for (const [name, value] of FOR_ALL)
    await app.batch.root.getByRole('combobox', { name: `${name}, for all tasks` }).selectOption(value);
  await app.batch.common('At once').fill('2');
  await app.batch.common('Money for all, USD').fill('50');
  await app.batch.common('Acceptance').fill('test -f README.md');
  await app.batch.button('Close').click();
  await expect(app.batch.root).toBeHidden();
  // What is dropped next is a batch of its own: the drafts before it make way, and stay.
  for (const text of ['Count the ladders\nCount the hooks', 'Wax the wheelbarrow\nGrease its wheel']) {
    await app.drop({ text });
    await expect(app.batch.goal(1)).toHaveValue(text.split('\n', 1)[0] ?? '');
    await app.batch.button('Close').click();
    await expect(app.batch.root).toBeHidden();
  }

  await app.reload();
  await app.composer.openBatch();
  await expect(app.batch.aside.getByRole('listitem')).toHaveText([/^Count the ladders2 tasks/, /^Repairs3 tasks/]);
  expect.soft(await axeFindings(app.page)).toEqual([]);
  await app.batch.button('Add its tasks: “Count the ladders”').click();
  await expect(app.batch.goals).toHaveCount(4);
  await app.batch.button('Undo: tasks of “Count the ladders” added').click();
  await expect(app.batch.goals).toHaveCount(2);
  await app.batch.button('Delete the draft “Count the ladders”').click();
  await expect(app.batch.aside.getByRole('listitem')).toHaveText([/^Repairs/]);
  await app.batch.button('Open the draft “Repairs”').click();
  await expect(app.batch.aside.getByRole('listitem')).toHaveText([/^Wax the wheelbarrow/]);
  await expect(app.batch.title).toHaveValue('Repairs');
  await expect(app.batch.goal(3)).toHaveValue('Sharpen all of the saws');
  await expect(app.batch.text('Context', 3)).toHaveValue('They hang in the shed.');
  await expect(app.batch.agent(1)).toHaveValue('explorer');
  await expect(app.batch.choice('Model', 1)).toHaveValue('scripted/scripted-model');
  for (const [name, value] of FOR_ALL)
    await expect(app.batch.root.getByRole('combobox', { name: `${name}, for all tasks` })).toHaveValue(value);
  await expect(app.batch.common('At once')).toHaveValue('2');
  await expect(app.batch.common('Money for all, USD')).toHaveValue('50');
  await expect(app.batch.common('Acceptance')).toHaveValue('test -f README.md');
  await app.batch.run(1).click();
  await expect(app.tree.set(1)).toContainText('3 of 3 ended');
  const models = model.requests.map(({ body }) => (body as { model: string }).model);
  expect(models.sort()).toEqual(['other-model', 'other-model', 'scripted-model']);
  await app.tree.open('Sharpen all of the saws');
  await app.inspector.show('Result');
  await expect(app.inspector.panel).toContainText('test -f README.md');
  await expect(app.inspector.panel).toContainText('passed');
  const check = app.inspector.panel.locator('details').filter({ hasText: 'test -f README.md' });
  await expect(check).not.toHaveAttribute('open');
  await check.locator('summary').click();
  await expect(check).toHaveAttribute('open');
});
