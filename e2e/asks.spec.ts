import { call, holdAt, script, talk } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';

const RUN = call('bash', { command: 'echo pruned > pruned.txt' });
const PRUNE = talk('Prune the pear tree', [{ text: 'With the saw.' }, RUN], 'It is pruned.');
const asking = {
  version: 1,
  title: 'Pruning',
  defaults: { permission: 'ask' },
  tasks: [{ goal: 'Prune the pear tree', label: 'Prune the pear tree' }],
};

test('a permission is answered in the inbox by one key, with the exact command and the way to the root', async ({
  app,
  model,
  place,
  start,
}) => {
  model.setScript(script(PRUNE));
  await start(asking);
  await expect(app.tree.rowThat('Prune the pear tree', 'Asks permission')).toContainText('echo pruned > pruned.txt');
  await expect(app.sidebar.inbox).toContainText('1');
  await expect(app.sidebar.entry('Needs you', 'Prune the pear tree')).toContainText('Permission · set 1');

  // What had the keyboard has it again, though the ask took it meanwhile.
  await app.tree.row('Prune the pear tree').focus();
  await app.inbox.open();
  await expect(app.inbox.current.locator(':focus')).toHaveCount(1);
  await app.page.keyboard.press('Escape');
  await expect(app.tree.row('Prune the pear tree')).toBeFocused();
  await app.inbox.open();
  await expect(app.inbox.asks).toHaveCount(1);
  await expect(app.inbox.current).toContainText('echo pruned > pruned.txt');
  await expect(app.inbox.root.getByRole('list', { name: 'Where this comes from' })).toContainText(
    'Prune the pear tree',
  );
  expect(place.read('pruned.txt')).toBeNull();
  // At 200 % zoom of a small window it still says where the ask comes from; the title bar does what it offers.
  await app.page.setViewportSize({ width: 640, height: 400 });
  await expect(app.inbox.root.getByRole('list', { name: 'Where this comes from' })).toBeInViewport({ ratio: 1 });
  await app.page.getByRole('button', { name: 'New', exact: false }).first().click();
  await expect(app.inbox.root).toBeHidden();
  await expect(app.composer.box).toBeFocused();
  await app.page.setViewportSize({ width: 1440, height: 900 });
  await app.inbox.open();
  await expect(app.inbox.current).toContainText('echo pruned > pruned.txt');
  await app.page.keyboard.press('a');
  await expect(app.inbox.root).toContainText('Nothing waits for you.');
  // Escape closes it wherever the keyboard is; so does a click on a conversation, also on the one that lies under it.
  await app.sidebar.search.focus();
  await app.page.keyboard.press('Escape');
  await expect(app.inbox.root).toBeHidden();
  await app.sidebar.open(asking.title);
  await expect(app.tree.rowThat('Prune the pear tree', 'Completed')).toContainText('It is pruned.');
  await app.inbox.open();
  await expect(app.inbox.root).toContainText('Nothing waits for you.');
  // What was answered says whose it was, and leads there.
  await app.inbox.root.getByRole('button', { name: /^Open the run .*Prune the pear tree/ }).click();
  await expect(app.inbox.root).toBeHidden();
  await expect(app.inspector.title).toHaveText('Prune the pear tree');
  await app.inbox.open();
  await app.sidebar.open(asking.title);
  await expect(app.inbox.root).toBeHidden();
  expect(place.read('pruned.txt')).toBe('pruned\n');
});

test('a permission is answered from its row, for the whole run: the same tool does not ask again', async ({
  app,
  model,
  start,
}) => {
  model.setScript(script(talk('Prune the pear tree', [RUN], [RUN], 'It is pruned.')));
  await start(asking);
  await app.tree.row('Prune the pear tree').getByRole('button', { name: 'Answer' }).click();
  const ofProject = (name: string) => app.inbox.root.getByRole('button', { name, exact: true });
  await ofProject('All projects').click();
  await app.page.getByRole('menuitem', { name: 'orchard' }).click();
  await expect(ofProject('orchard')).toBeVisible();
  await expect(app.inbox.asks).toHaveCount(1);
  await ofProject('orchard').click();
  await app.page.getByRole('menuitem', { name: 'orchard' }).click();
  await expect(app.inbox.asks).toHaveCount(1);
  await ofProject('orchard').click();
  await app.page.getByRole('menuitem', { name: 'All projects' }).click();
  await expect(ofProject('All projects')).toBeVisible();
  await app.inbox.current.getByRole('button', { name: 'For this run' }).click();
  await expect(app.tree.rowThat('Prune the pear tree', 'Completed')).toBeVisible();
});

test('a refusal with a note reaches the model, which goes on without the command', async ({
  app,
  model,
  place,
  start,
}) => {
  model.setScript(script(talk('Prune the pear tree', [RUN], 'Then I leave it as it is.')));
  await start(asking);
  await app.tree.open('Prune the pear tree');
  await app.inspector.ask.getByRole('button', { name: 'Deny with a note' }).click();
  await app.inspector.ask.getByRole('textbox', { name: 'Note to the agent' }).fill('Not in the frost');
  await app.page.keyboard.press('Enter');
  await expect(app.tree.rowThat('Prune the pear tree', 'Completed')).toContainText('Then I leave it as it is.');
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('Not in the frost');
  expect(place.read('pruned.txt')).toBeNull();
});

test('two clients see one state; what one answers goes from the other, a second answer is told so (case 52)', async ({
  app,
  core,
  model,
  openApp,
  start,
}) => {
  model.setScript(script(PRUNE));
  await start(asking);
  const other = await openApp();
  await other.sidebar.open('Pruning');
  await expect(other.tree.rowThat('Prune the pear tree', 'Asks permission')).toBeVisible();
  await other.inbox.open();
  await expect(other.inbox.asks).toHaveCount(1);
  const [ask] = await core.client.asks.list();
  const ask_id = ask?.ask_id ?? '';

  await app.tree.open('Prune the pear tree');
  await app.inspector.ask.getByRole('button', { name: 'Allow once' }).click();
  // Its button has gone; the keyboard is where the button was.
  const { root } = app.inspector;
  await expect(app.inspector.ask).toBeHidden();
  await expect(root.locator(':focus').or(root.and(app.page.locator(':focus')))).toHaveCount(1);
  await expect(other.inbox.asks).toHaveCount(0);
  await expect(other.inbox.root).toContainText('Allowed once');
  const late = core.client.asks.answer({ ask_id, choice: 'deny', note: null, client: 'test' });
  await expect(late).rejects.toMatchObject({ data: { code: expect.stringMatching(/answered|conflict/) } });
  await other.page.keyboard.press('Escape');
  for (const client of [app, other])
    await expect(client.tree.rowThat('Prune the pear tree', 'Completed')).toBeVisible();
});

test('an answer from outside is told in the page that had the question open; what asks next is refused, then allowed for the set', async ({
  app,
  core,
  model,
  place,
  start,
}) => {
  const next = call('bash', { command: 'echo sawn > sawn.txt' });
  const last = call('bash', { command: 'echo mown > mown.txt' });
  model.setScript(
    script(talk('Prune the pear tree', [RUN], [...holdAt('sawing'), next], [last], [last], 'It is pruned.')),
  );
  await start(asking);
  await app.tree.open('Prune the pear tree');
  await expect(app.inspector.ask).toBeVisible();
  const [ask] = await core.client.asks.list();
  await core.client.asks.answer({ ask_id: ask?.ask_id ?? '', choice: 'once', note: null, client: 'espalier answer' });
  await expect(app.inspector.root.getByRole('status').filter({ hasText: 'by espalier answer' })).toBeVisible();
  // Only now: what asks next stands in the place of the note.
  model.release('sawing');

  const way = app.inbox.root.getByRole('list', { name: 'Where this comes from' });
  await expect(app.inspector.ask).toContainText('sawn.txt');
  await app.inbox.open();
  await expect(app.inbox.current).toContainText('sawn.txt');
  await way.getByRole('button', { name: /Prune the pear tree/ }).click();
  await expect(app.inbox.root).toBeHidden();
  await expect(app.inspector.title).toHaveText('Prune the pear tree');
  await app.inspector.ask.getByRole('button', { name: 'Deny with a note' }).click();
  await app.inspector.ask.getByRole('button', { name: 'Deny', exact: true }).click();
  await expect(app.inspector.ask).toContainText('mown.txt');
  await app.inspector.ask.getByRole('button', { name: 'For set 1' }).click();
  await expect(app.tree.rowThat('Prune the pear tree', 'Completed')).toContainText('It is pruned.');
  expect([place.read('sawn.txt'), place.read('mown.txt')]).toEqual([null, 'mown\n']);
});
