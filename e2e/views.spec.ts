import { axeFindings } from './fixtures/axe.ts';
import { call, held, script, talk } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';
import type { App } from './pages/app.ts';

const command = (goal: string, label: string): object => ({ goal, label, agent: 'command' });

/** A batch of every state that a run can stand in: at work, asking, failed, completed, and one whose child works. */
const EVERY_STATE = {
  version: 1,
  title: 'Harvest',
  defaults: { permission: 'auto' },
  tasks: [
    { goal: 'Pick the apples', label: 'Pick the apples' },
    { goal: 'Fetch the ladder', label: 'Fetch the ladder' },
    { goal: 'Saw the branch', label: 'Saw the branch', permission: 'ask' },
    { goal: 'Organise the weighing', label: 'Organise the weighing' },
    command('echo seven', 'Count the trees'),
  ],
};

const child = { goal: 'Weigh the early apples', label: 'Weigh the apples' };
const EVERY_SCRIPT = script(
  held('Pick the apples', 'apples', 'Three baskets.'),
  talk('Fetch the ladder', { fault: { status: 401, message: 'invalid x-api-key' } }),
  talk('Saw the branch', call('bash', { command: 'echo sawn' }), 'Sawn.'),
  talk('Organise the weighing', call('delegate_task', { title: 'Weighing', tasks: [child] }), 'Weighed.'),
  held('Weigh the early apples', 'weigh'),
);

async function everythingStands(app: App): Promise<void> {
  await expect(app.tree.rowThat('Saw the branch', 'Asks permission')).toBeVisible();
  await expect(app.tree.rowThat('Weigh the apples', 'Running')).toBeVisible();
  await expect(app.tree.rowThat('Fetch the ladder', 'Failed')).toBeVisible();
  await expect(app.tree.rowThat('Count the trees', 'Completed')).toBeVisible();
}

async function expectNothingFound(app: App, screen: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await app.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(app.page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    expect.soft(await axeFindings(app.page), `${screen}, ${colorScheme}`).toEqual([]);
  }
}

test('a conversation is looked at in four ways by keys, and keeps its own after a reload', async ({ app, start }) => {
  await start({ version: 1, title: 'Harvest', tasks: [command('true', 'Count the trees')] });
  const { keyboard } = app.page;
  await expect(app.tree.set(1)).toContainText('1 of 1 ended');
  await keyboard.press('2');
  await expect(app.views.list).toBeVisible();
  await expect(app.views.choice('List')).toBeChecked();
  await keyboard.press('3');
  await expect(app.views.card('Count the trees')).toBeVisible();
  await app.reload();
  await expect(app.views.card('Count the trees')).toBeVisible();
  await start({ version: 1, title: 'Pruning', tasks: [command('true', 'Cut the hedge')] });
  await expect(app.tree.row('Cut the hedge')).toBeVisible();
  await app.sidebar.open('Harvest');
  await expect(app.views.card('Count the trees')).toBeVisible();
  await app.views.choice('Board').focus();
  await keyboard.press('ArrowRight');
  await expect(app.views.timeline).toBeVisible();
  await expect(app.views.choice('Timeline')).toBeFocused();
});

test('the list sorts, filters, folds with roll-up, and is walked by keys with levels', async ({
  app,
  model,
  start,
}) => {
  model.setScript(EVERY_SCRIPT);
  await start(EVERY_STATE);
  await everythingStands(app);
  await app.views.show('List');
  const { list, labels } = app.views;
  await expect(labels).toHaveText([
    'Pick the apples',
    'Fetch the ladder',
    'Saw the branch',
    'Organise the weighing',
    'Weigh the apples',
    'Count the trees',
  ]);
  await expect(app.views.row('Weigh the apples')).toHaveAttribute('aria-level', '4');

  await app.views.head('Run').getByRole('button').click();
  await expect(app.views.head('Run')).toHaveAttribute('aria-sort', 'ascending');
  await expect(labels.first()).toHaveText('Count the trees');
  await app.views.head('Run').getByRole('button').click();
  await app.views.head('Run').getByRole('button').click();
  await expect(app.views.head('Run')).toHaveAttribute('aria-sort', 'none');
  for (const column of ['Agent', 'Turns'] as const) {
    await app.views.head(column).getByRole('button').click();
    await expect(app.views.head(column)).toHaveAttribute('aria-sort', /ascending|descending/);
    await app.views.head(column).getByRole('button').click();
    await app.views.head(column).getByRole('button').click();
    await expect(app.views.head(column)).toHaveAttribute('aria-sort', 'none');
  }

  await app.views.filter('Status').selectOption('Failed');
  await expect(labels).toHaveText(['Fetch the ladder']);
  await app.page.getByRole('button', { name: 'Clear the filter' }).click();
  await app.views.filterText.fill('weigh');
  await expect(labels).toHaveText(['Organise the weighing', 'Weigh the apples']);
  // A filter holds in every view.
  await app.views.show('Tree');
  await expect(app.tree.row('Weigh the apples')).toBeVisible();
  await expect(app.tree.row('Pick the apples')).toHaveCount(0);
  await app.views.filterText.fill('');
  await expect(app.tree.row('Pick the apples')).toBeVisible();
  await app.views.filter('Agent').selectOption('command');
  await expect(app.tree.row('Count the trees')).toBeVisible();
  await expect(app.tree.row('Pick the apples')).toHaveCount(0);
  await app.views.filter('Agent').selectOption('Any agent');
  await app.views.show('List');
  await app.views.filter('Set').selectOption({ label: 'set 2 · Weighing' });
  await expect(labels).toHaveText(['Organise the weighing', 'Weigh the apples']);
  await app.page.getByRole('button', { name: 'Clear the filter' }).click();

  await app.page.keyboard.press('F6');
  while ((await list.locator('[role="row"]:focus').count()) === 0) await app.page.keyboard.press('F6');
  await app.page.keyboard.press('Home');
  await expect(app.views.row('set 1 ·')).toBeFocused();
  await app.page.keyboard.press('ArrowLeft');
  await expect(app.views.row('set 1 ·')).toHaveAttribute('aria-expanded', 'false');
  await expect(labels).toHaveText(['Fetch the ladder', 'Saw the branch']);
  await app.page.keyboard.press('ArrowRight');
  // The same letter again goes on to the next that begins with it.
  await app.page.keyboard.press('w');
  await expect(app.views.row('set 2 ·')).toBeFocused();
  await app.page.keyboard.press('w');
  await expect(app.views.row('Weigh the apples')).toBeFocused();
  // No name begins with it: it is the key of the shortcuts, wherever one is.
  await app.page.keyboard.press('?');
  await expect(app.page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible();
  await app.page.keyboard.press('Escape');
  await expect(app.views.row('Weigh the apples')).toBeFocused();
  await app.page.keyboard.press('Enter');
  await expect(app.inspector.title).toHaveText('Weigh the apples');
  await app.page.keyboard.press('Delete');
  await expect(app.views.row('Weigh the apples')).toContainText('Stopped');
});

test('a run and its subtree are paused and stopped from the list', async ({ app, model, start }) => {
  model.setScript(EVERY_SCRIPT);
  await start(EVERY_STATE);
  await everythingStands(app);
  await app.views.show('List');
  await app.views.row('Pick the apples').hover();
  // What a row offers stands on the line of its words.
  const tops = await app.views
    .row('Pick the apples')
    .locator('.row-actions button')
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top));
  expect(tops.length).toBeGreaterThan(2);
  expect(new Set(tops).size).toBe(1);
  await app.page.getByRole('button', { name: 'Pause Pick the apples' }).click();
  await expect(app.views.row('Pick the apples')).toContainText('pauses at its next safe boundary');
  await app.page.getByRole('status').getByRole('button', { name: 'Resume', exact: true }).click();
  await expect(app.views.row('Pick the apples')).not.toContainText('pauses at its next safe boundary');
  await app.views.row('Pick the apples').hover();
  await app.page.getByRole('button', { name: 'Pause Pick the apples' }).click();
  await expect(app.views.row('Pick the apples')).toContainText('pauses at its next safe boundary');
  await app.page.getByRole('button', { name: 'Resume Pick the apples' }).click();
  const parent = app.views.row('Organise the weighing');
  await parent.hover();
  await parent.getByRole('button', { name: 'Stop Organise the weighing' }).click();
  await parent.getByRole('button', { name: 'Stop 2 runs?' }).click();
  await expect(parent).toContainText('Stopped');
  await expect(app.views.row('Weigh the apples')).toContainText('Stopped');
});

test('the board has a column for each state, and a card moves when its run does', async ({ app, model, start }) => {
  model.setScript(EVERY_SCRIPT);
  await start(EVERY_STATE);
  await everythingStands(app);
  await app.views.show('Board');
  const { keyboard } = app.page;
  await expect(app.views.column('Working').getByRole('article', { name: 'Pick the apples' })).toBeVisible();
  await expect(app.views.column('Needs you').getByRole('article')).toHaveCount(1);
  await expect(app.views.column('Ended').getByRole('article')).toHaveCount(2);
  await app.views.card('Saw the branch').focus();
  await keyboard.press('ArrowRight');
  await expect(app.views.column('Ended').locator(':focus')).toHaveCount(1);
  await keyboard.press('ArrowLeft');
  await keyboard.press('ArrowLeft');
  await expect(app.views.column('Working').locator(':focus')).toHaveCount(1);
  model.release('apples');
  await expect(app.views.column('Ended').getByRole('article', { name: 'Pick the apples' })).toBeVisible();
  await app.views.card('Pick the apples').focus();
  await keyboard.press('Enter');
  await expect(app.inspector.title).toHaveText('Pick the apples');
});

test('the timeline shows what each run did, live, zoomed, and as it was before', async ({ app, model, start }) => {
  model.setScript(EVERY_SCRIPT);
  await start(EVERY_STATE);
  await everythingStands(app);
  await app.views.show('Timeline');
  const apples = app.views.row('Pick the apples');
  await expect(apples.getByRole('img', { name: /running/ })).toBeVisible();
  await expect(app.views.row('Saw the branch').getByRole('img', { name: /waiting for you/ })).toBeVisible();
  await expect(app.views.row('Fetch the ladder')).toContainText('x-api-key');
  await expect(app.views.row('Fetch the ladder').getByRole('img', { name: /x-api-key/ })).toBeVisible();

  const zoom = app.page.getByText(/^\d+ %$/);
  const first = await zoom.innerText();
  await app.page.getByRole('button', { name: 'Zoom in' }).click();
  await expect(zoom).not.toHaveText(first);
  await app.page.getByRole('button', { name: 'Zoom out' }).click();
  await apples.click();
  // The pane of the run takes room when it is there, and the zoom follows.
  await expect(app.inspector.title).toHaveText('Pick the apples');
  await apples.press('0');
  await expect(zoom).toHaveText('100 %');
  await apples.press('+');
  await expect(zoom).not.toHaveText('100 %');

  // At its first moment nothing had ended, and what was delegated was not there.
  await app.views.scrubber.fill('0');
  await expect(app.views.row('Fetch the ladder').getByRole('img', { name: 'Failed', exact: true })).toHaveCount(0);
  await expect(app.views.row('Weigh the apples')).toContainText('not there yet');
  await expect(app.views.row('set 1 ·')).toContainText('0 of 5 ended');
  const now = app.views.replay.getByRole('button', { name: 'Live' });
  await expect(now).toHaveAttribute('aria-pressed', 'false');
  await now.click();
  await expect(now).toHaveAttribute('aria-pressed', 'true');
  await app.views.scrubber.fill('0');
  await expect(now).toHaveAttribute('aria-pressed', 'false');
  // The other views show that moment too.
  await app.views.show('List');
  await expect(app.views.row('set 1 ·')).toContainText('0 of 5 ended');
  await expect(app.views.row('Weigh the apples')).toHaveCount(0);
  // A moment of before is only looked at.
  await app.views.row('Pick the apples').hover();
  await expect(app.page.getByRole('button', { name: 'Compare Pick the apples with another run' })).toBeVisible();
  await expect(app.views.row('Pick the apples').getByRole('button', { name: /^(?:Stop|Pause|Steer) / })).toHaveCount(0);
  await app.views.show('Tree');
  await expect(app.tree.set(1)).toContainText('0 of 5 ended');
  await expect(app.tree.set(2)).toHaveCount(0);
  await app.views.replayButton.click();
  await expect(app.views.replay).toBeHidden();
  await expect(app.tree.set(2)).toBeVisible();
  await app.views.replayButton.click();
  await app.views.scrubber.fill('0');
  await expect(app.tree.set(2)).toHaveCount(0);
  await app.views.show('Timeline');
  // At its own speed it does not come to the end while that moves on too.
  await app.views.replay.getByRole('button', { name: '1×' }).click();
  await app.views.replay.getByRole('button', { name: 'Pause the replay' }).click();
  await expect(app.views.replay.getByRole('button', { name: 'Play' })).toBeVisible();
  await expect(app.views.replay.getByRole('button', { name: 'Live' })).toHaveAttribute('aria-pressed', 'false');
  await app.views.replay.getByRole('button', { name: '60×' }).click();
  await expect(app.views.replay.getByRole('button', { name: 'Live' })).toHaveAttribute('aria-pressed', 'true');
  await expect(app.views.row('Fetch the ladder').getByRole('img', { name: 'Failed', exact: true })).toBeVisible();

  model.release('apples');
  await expect(apples.getByRole('img', { name: 'Completed', exact: true })).toBeVisible();
});

test('a large set is drawn as places, and its runs are reached by arrows', async ({ app, start }) => {
  const tasks = Array.from({ length: 16 }, (_, n) => command('true', `Tree ${n + 1}`));
  await start({ version: 1, title: 'Harvest', max_concurrent: 2, tasks });
  await expect(app.tree.set(1)).toContainText('16 of 16 ended');
  await app.views.show('Timeline');
  await expect(app.views.timeline.getByRole('row')).toHaveCount(4);
  const lane = app.views.row('place 1');
  await lane.focus();
  await app.page.keyboard.press('ArrowRight');
  await expect(app.inspector.title).toHaveText(/^Tree \d+$/);
  const first = await app.inspector.title.textContent();
  await app.page.keyboard.press('ArrowRight');
  await expect(app.inspector.title).not.toHaveText(first ?? '');
  const end = app.views.replay.getByRole('button', { name: 'End' });
  await app.views.scrubber.fill('0');
  await expect(end).toHaveAttribute('aria-pressed', 'false');
  await app.views.replay.getByRole('button', { name: 'Play' }).click();
  await expect(app.views.scrubber).not.toHaveValue('0');
  await end.click();
  await expect(end).toHaveAttribute('aria-pressed', 'true');
});

test('two runs are compared side by side: outcome, numbers, files, answers', async ({ app, model, start }) => {
  model.setScript(
    script(
      talk('Write a short list', call('write', { path: 'short.md', content: '# List\n' }), 'The list has two fruits.'),
      talk('Write a long list', 'The list has nine fruits.'),
    ),
  );
  await start({
    version: 1,
    title: 'Lists',
    defaults: { permission: 'auto' },
    tasks: [
      { goal: 'Write a short list', label: 'Short' },
      { goal: 'Write a long list', label: 'Long' },
    ],
  });
  await expect(app.tree.set(1)).toContainText('2 of 2 ended');
  await app.views.show('List');
  await app.views.row('Short').click();
  await app.page.keyboard.press('Alt+c');
  const picked = app.page.getByRole('status').filter({ hasText: 'Compare Short with…' });
  await expect(picked).toBeVisible();
  // The whole name, however little the filter leaves of its line.
  expect(await picked.getByText('Compare Short with…').evaluate((line) => line.scrollWidth <= line.clientWidth)).toBe(
    true,
  );
  await app.page.getByRole('button', { name: 'Do not compare' }).click();
  await expect(picked).toBeHidden();
  await expect(app.views.row('Short')).toBeFocused();
  await app.page.keyboard.press('Alt+c');
  await expect(picked).toBeVisible();
  await app.page.keyboard.press('Escape');
  await expect(picked).toBeHidden();
  await app.views.row('Short').click();
  await app.page.keyboard.press('Alt+c');
  await expect(picked).toBeVisible();
  await app.views.row('Long').hover();
  await app.page.getByRole('button', { name: 'Compare Long with another run' }).click();
  const { comparison } = app.views;
  await expect(app.views.fact('Tool calls')).toContainText('−1');
  await expect(comparison).toContainText('short.mdonly A');
  await expect(comparison.locator('mark')).toHaveText(['two ', 'nine ']);
  await expectNothingFound(app, 'comparison');
  await comparison.getByRole('button', { name: 'Swap sides' }).click();
  await expect(app.views.fact('Tool calls')).toContainText('+1');
  await comparison.getByRole('button', { name: 'Close the comparison' }).click();
  await expect(comparison).toBeHidden();
  await app.views.row('Short').click();
  await app.page.keyboard.press('Alt+c');
  await expect(picked).toBeVisible();
  await app.views.row('Long').hover();
  await app.page.getByRole('button', { name: 'Compare Long with another run' }).click();
  await comparison.getByRole('button', { name: 'Long', exact: true }).click();
  await expect(comparison).toBeHidden();
  await expect(app.inspector.title).toHaveText('Long');
});

test.describe('screens of the views', () => {
  test('axe finds nothing in list, board and timeline with every state', async ({ app, model, start }) => {
    model.setScript(EVERY_SCRIPT);
    await start(EVERY_STATE);
    await everythingStands(app);
    for (const view of ['List', 'Board', 'Timeline'] as const) {
      await app.views.show(view);
      await expect(app.page.getByText('Pick the apples').first()).toBeVisible();
      await expectNothingFound(app, view);
    }
    await app.views.show('Tree');
    await app.views.replayButton.click();
    await app.views.scrubber.fill('300');
    await expectNothingFound(app, 'tree with filter and replay');
  });
});
