import { call, held, holdAt, script, talk } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';

const batch = (...tasks: object[]) => ({ version: 1, title: 'Harvest', defaults: { permission: 'auto' }, tasks });
const pick = (kind: string) => ({ goal: `Pick the ${kind} and count the baskets`, label: `Pick the ${kind}` });

test('a steer is queued, then delivered with the next request, once (case 30)', async ({ app, model, start }) => {
  model.setScript(script(talk('Pick the apples', [...holdAt('picking'), call('ls', { path: '.' })], 'Three baskets.')));
  await start(batch(pick('apples')));
  await model.waitForGate('picking');
  await app.tree.open('Pick the apples');
  await app.tree.row('Pick the apples').hover();
  await app.tree.row('Pick the apples').getByRole('button', { name: 'Steer Pick the apples' }).click();
  await expect(app.inspector.steerBox).toBeFocused();
  await app.inspector.steerBox.fill('Leave the low branches for the children');
  await app.inspector.root.getByRole('button', { name: 'Steer', exact: true }).click();
  await expect(app.inspector.steer('Leave the low branches')).toContainText('queued, next safe boundary');
  await expect(app.inspector.steerBox).toHaveValue('');

  model.release('picking');
  await expect(app.inspector.steer('Leave the low branches')).toContainText(/delivered \d/);
  await expect(app.tree.rowThat('Pick the apples', 'Completed')).toBeVisible();
  const bodies = model.requests.map(({ body }) => JSON.stringify(body).split('Leave the low branches').length - 1);
  expect(bodies).toEqual([0, 1]);
  await expect(app.inspector.panel).toContainText('You, steering');
});

test('a follow-up is delivered after the answer, and the run goes on with it (case 30)', async ({
  app,
  model,
  start,
}) => {
  model.setScript(
    script(talk('Pick the apples', holdAt('picking', 'Three baskets.'), 'And two of pears.', 'Plums: four.')),
  );
  await start(batch(pick('apples')));
  await model.waitForGate('picking');
  await app.tree.open('Pick the apples');
  await app.inspector.steerBox.fill('Then the pears');
  await app.inspector.root.getByRole('button', { name: 'Follow up' }).click();
  await expect(app.inspector.steer('Then the pears')).toContainText('queued, after its answer');
  model.release('picking');
  await expect(app.tree.rowThat('Pick the apples', 'Completed')).toContainText('And two of pears.');
  await expect(app.inspector.steer('Then the pears')).toContainText(/delivered \d/);

  // Once it has ended, a later run goes on with its session.
  await app.inspector.root.getByRole('textbox', { name: 'Follow up on this run' }).fill('And the plums');
  await app.inspector.root.getByRole('button', { name: 'Continue' }).click();
  await expect(app.tree.rowThat('Pick the apples', 'Completed')).toContainText('Plums: four.');
});

test('stop on one run ends it with its partial text, and its siblings go on (case 28)', async ({
  app,
  model,
  start,
}) => {
  model.setScript(script(held('Pick the apples', 'apples', 'Done.'), held('Pick the pears', 'pears', 'Four baskets.')));
  await start(batch(pick('apples'), pick('pears')));
  await model.waitForGate('apples');
  await model.waitForGate('pears');
  await app.tree.stop('Pick the apples');
  await expect(app.tree.rowThat('Pick the apples', 'Stopped')).toBeVisible();
  await expect(app.toast('1 run stopped, nothing left running')).toBeVisible();
  await expect(app.tree.rowThat('Pick the pears', 'Running')).toBeVisible();
  await app.tree.open('Pick the apples');
  await expect(app.inspector.panel).toContainText('Looking around.');
  await expect(app.inspector.steerBox).toBeHidden();
  expect((await model.waitForEnd(({ conversation }) => conversation === 'Pick the apples')).end).toBe('client_closed');

  model.release('pears');
  await expect(app.tree.rowThat('Pick the pears', 'Completed')).toContainText('Four baskets.');
  await expect(app.tree.set(1)).toContainText('2 of 2 ended');
});

test('stop on a set asks for a second press, ends what is below it too, and leaves other sets alone (case 28)', async ({
  app,
  core,
  model,
  projectId,
  start,
}) => {
  const child = { goal: 'Count the crates in the barn', label: 'Count the crates' };
  model.setScript(
    script(
      talk('Pick the apples', call('delegate_task', { tasks: [child] }), 'Done.'),
      held('Pick the pears', 'pears'),
      held('Count the crates', 'crates'),
      held('Pick the plums', 'plums', 'Five baskets.'),
    ),
  );
  const { conversation_id } = await start(batch(pick('apples'), pick('pears')));
  await model.waitForGate('crates');
  await core.client.batches.dispatch({
    project_id: projectId,
    conversation_id,
    batch: batch(pick('plums')),
    client_token: 'second-set',
  });
  await model.waitForGate('plums');
  await app.tree.set(1).hover();
  await app.tree.set(1).getByRole('button', { name: 'Stop set 1' }).click();
  await expect(app.tree.set(1)).toContainText('0 of 2 ended');
  await app.tree.set(1).getByRole('button', { name: 'Stop 3 runs?' }).click();
  for (const label of ['Pick the apples', 'Pick the pears', 'Count the crates'])
    await expect(app.tree.rowThat(label, 'Stopped')).toBeVisible();
  await expect(app.toast('3 runs stopped, nothing left running')).toBeVisible();
  await expect(app.tree.rowThat('Pick the plums', 'Running')).toBeVisible();
  model.release('plums');
  await expect(app.tree.rowThat('Pick the plums', 'Completed')).toContainText('Five baskets.');
});

test('a program that ignores the polite stop is ended with all it started, and the receipt says so (case 29)', async ({
  app,
  start,
}) => {
  const goal = 'trap "" TERM; sleep 300 & sleep 300 & echo deaf; wait; wait; sleep 300';
  await start(batch({ goal, agent: 'command', label: 'Deaf' }));
  await expect(app.tree.rowThat('Deaf', 'Running')).toBeVisible();
  await app.tree.open('Deaf');
  await expect(app.inspector.panel).toContainText('deaf');
  await app.tree.stop('Deaf');
  await expect(app.tree.rowThat('Deaf', 'Stopped')).toBeVisible();
  await expect(app.toast('1 run stopped, nothing left running')).toBeVisible();
});

test('everything can be paused and goes on: nothing new starts meanwhile', async ({ app, model, start }) => {
  model.setScript(script(talk('Pick the apples', 'Three baskets.')));
  await app.page.getByRole('button', { name: 'Pause all' }).click();
  await expect(app.sidebar.root).toContainText('Paused: nothing new starts');
  await start(batch(pick('apples')));
  await expect(app.tree.row('Pick the apples')).toContainText('paused');
  expect(model.requests).toHaveLength(0);
  await app.page.getByRole('banner').getByRole('button', { name: 'Resume all' }).click();
  await expect(app.tree.rowThat('Pick the apples', 'Completed')).toBeVisible();
});

test('a press on an entry of the sidebar is its own: another that comes above it meanwhile is shown when it is let go', async ({
  app,
  core,
  model,
  projectId,
}) => {
  const ask = { tool_call: { name: 'bash', arguments: { command: 'echo pruned' } } };
  model.setScript(script(talk('Prune the pear tree', [{ wait_for: 'asking' }, ask], 'It is pruned.')));
  const sent = { ...batch({ goal: 'Prune the pear tree', label: 'Prune the pear tree' }), title: 'Pruning' };
  const rest = { project_id: projectId, conversation_id: null, client_token: 'press' };
  await core.client.batches.dispatch({ batch: { ...sent, defaults: { permission: 'ask' } }, ...rest });
  const entry = app.sidebar.entry('Working', 'Pruning');
  await entry.hover();
  await app.page.mouse.down();
  model.release('asking');
  await expect(app.sidebar.inbox).toContainText('1');
  await expect(app.sidebar.entry('Needs you', 'Prune the pear tree')).toHaveCount(0);
  await app.page.mouse.up();
  await expect(app.tree.row('Prune the pear tree')).toBeVisible();
  await expect(app.sidebar.entry('Needs you', 'Prune the pear tree')).toBeVisible();
});
