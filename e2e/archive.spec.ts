import { expect, test } from './fixtures/test.ts';

test('a conversation that is archived leaves the lists, is found under Archived, and comes back', async ({
  app,
  start,
}) => {
  await start({ version: 1, title: 'Old harvest', tasks: [{ goal: 'echo done', label: 'Done', agent: 'command' }] });
  await expect(app.tree.set(1)).toContainText('1 of 1 ended');
  const act = async (action: string): Promise<void> => {
    await app.sidebar.root.getByRole('button', { name: 'Actions for Old harvest' }).first().click();
    await app.page.getByRole('menuitem', { name: action }).click();
  };
  await act('Archive');
  await expect(app.sidebar.section('Recent')).toBeHidden();
  await app.sidebar.root.getByRole('button', { name: 'Archived' }).click();
  await act('Take out of the archive');
  await expect(app.sidebar.entry('Recent', 'Old harvest')).toBeVisible();
  await expect(app.sidebar.root.getByRole('button', { name: 'Archived' })).toBeHidden();
});
