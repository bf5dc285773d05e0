import { expect, test } from './fixtures/test.ts';

test('a conversation that is archived leaves the lists, is found under Archived, and comes back; it is renamed, and deleted', async ({
  app,
  core,
  start,
}) => {
  await start({ version: 1, title: 'Old harvest', tasks: [{ goal: 'echo done', label: 'Done', agent: 'command' }] });
  await expect(app.tree.set(1)).toContainText('1 of 1 ended');
  const act = async (action: string, title = 'Old harvest'): Promise<void> => {
    await app.sidebar.root
      .getByRole('button', { name: `Actions for ${title}` })
      .first()
      .click();
    await app.page.getByRole('menuitem', { name: action }).click();
  };
  await act('Archive');
  await expect(app.sidebar.section('Recent')).toBeHidden();
  await app.sidebar.root.getByRole('button', { name: 'Archived' }).click();
  await act('Take out of the archive');
  await expect(app.sidebar.entry('Recent', 'Old harvest')).toBeVisible();
  await expect(app.sidebar.root.getByRole('button', { name: 'Archived' })).toBeHidden();

  await act('Rename');
  const name = app.sidebar.root.getByRole('textbox', { name: 'Rename' });
  await expect(name).toBeFocused();
  await name.fill('Late harvest');
  await name.press('Enter');
  await expect(app.sidebar.entry('Recent', 'Late harvest')).toBeVisible();
  await expect(app.heading).toContainText('Late harvest');
  await act('Delete…', 'Late harvest');
  const sure = app.page.getByRole('dialog');
  await sure.getByRole('button', { name: 'Cancel' }).click();
  await expect(sure).toBeHidden();
  await act('Delete…', 'Late harvest');
  await sure.getByRole('button', { name: 'Delete' }).click();
  await expect(app.sidebar.root.getByText('Late harvest')).toHaveCount(0);
  expect(await core.client.conversations.list({ all: true })).toEqual([]);
});
