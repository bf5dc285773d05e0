import { call, holdAt, script, talk } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';

test('a lead answers, waits, and answers the next message with what was said before; its model is the chosen one; a failed one is tried again', async ({
  app,
  core,
  model,
}) => {
  await core.offerModels('scripted-model', 'other-model');
  await app.reload();
  await app.page.getByRole('combobox', { name: 'Model of the lead' }).selectOption('scripted/other-model');
  const refused = { fault: { status: 401, message: 'invalid x-api-key' }, times: 1 };
  model.setScript(
    script(
      talk('How many trees', 'There are twelve.', 'Five of them bear pears.', [refused, { text: 'Four are old.' }]),
    ),
  );
  await app.composer.send('How many trees are there?');
  await expect(app.tree.lead).toContainText('How many trees are there?');
  await expect(app.tree.lead).toContainText('waiting: for your message');
  // Nothing but the lead is there: its answer stands at the root, and its transcript beside it.
  await expect(app.tree.lead).toContainText('There are twelve.');
  await expect(app.inspector.panel).toContainText('There are twelve.');
  expect(model.requests[0]?.body).toMatchObject({ model: 'other-model' });

  await app.composer.send('And how many bear pears?');
  await expect(app.inspector.panel).toContainText('Five of them bear pears.');
  await expect(app.composer.box).toHaveValue('');
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('There are twelve.');
  await expect(app.tree.lead).toContainText('waiting: for your message');

  // One that fails says why above each of its tabs, and is tried again from there with what it was told last.
  await app.composer.send('And how many are old?');
  await expect(app.inspector.root).toContainText('invalid x-api-key');
  await expect(app.inspector.root.getByRole('tab', { name: 'Transcript' })).toHaveAttribute('aria-selected', 'true');
  await app.inspector.root.getByRole('button', { name: 'Retry', exact: true }).click();
  await expect(app.inspector.panel).toContainText('Four are old.');
  await expect(app.inspector.root).toContainText('Goes on with an earlier run');
  expect(JSON.stringify(model.requests.at(-1)?.body).match(/And how many are old\?/g)).toHaveLength(2);

  await app.tree.lead.hover();
  await app.tree.lead.getByRole('button', { name: 'Pause this conversation' }).click();
  await expect(app.page.getByRole('button', { name: 'Resume this conversation' }).first()).toBeVisible();
  await app.tree.lead.getByRole('button', { name: 'Resume this conversation' }).click();
  await expect(app.tree.lead.getByRole('button', { name: 'Pause this conversation' })).toBeAttached();
  await app.tree.lead.hover();
  await app.tree.lead.getByRole('button', { name: 'Stop this conversation' }).click();
  await expect(app.tree.lead).toContainText('stopped');
});

test('a lead delegates, goes on talking, and is told the result in a turn of its own (case 34)', async ({
  app,
  model,
}) => {
  const tasks = [{ goal: 'Count the pear trees by hand', label: 'Count the pears' }];
  model.setScript(
    script(
      talk('Find out about the pears', call('delegate_task', { tasks }), 'Somebody counts them.', 'It was five.'),
      talk('Count the pear trees', [...holdAt('counting'), { text: ' Five.' }]),
    ),
  );
  await app.composer.send('Find out about the pears');
  await app.tree.lead.click();
  await expect(app.inspector.panel).toContainText('Somebody counts them.');
  await expect(app.tree.rowThat('Count the pears', 'Running')).toBeVisible();
  model.release('counting');
  await expect(app.tree.rowThat('Count the pears', 'Completed')).toBeVisible();
  await expect(app.inspector.panel).toContainText('It was five.');
  await expect(app.inspector.panel).toContainText('Results of a delegation');
  await app.inspector.button(/^set 1, 1 task$/).click();
  await expect(app.inspector.title).toHaveText('set 1 · 1 of 1 ended');
});
